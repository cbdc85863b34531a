import type { FieldType } from './shape.ts';

/**
 * How collections and fields of each role are named in English and German, in the form of `words`. The first pattern is
 * the name itself, later ones are less sure.
 */
export interface FieldRule {
  readonly names: readonly RegExp[];
  readonly types: readonly FieldType[];
  /** Names of other things, such as the purchase price. */
  readonly never?: RegExp;
  readonly unique?: true;
}

export interface ListRule {
  readonly names: readonly RegExp[];
  /** Names of similar collections with another meaning. */
  readonly never: RegExp;
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** At least one field of each group must exist. */
  readonly needs: readonly (readonly string[])[];
  /** A collection with any name also fits by these fields, if no field is named as in `never`. */
  readonly byFields?: { readonly needs: readonly (readonly string[])[]; readonly never: RegExp };
}

const TEXT: readonly FieldType[] = ['text', 'unknown'];
const NAME: readonly FieldType[] = ['text', 'whole', 'decimal', 'unknown'];
const FIGURE: readonly FieldType[] = ['whole', 'decimal', 'float', 'unknown'];
const TIME: readonly FieldType[] = ['time', 'whole', 'unknown'];
const FLAG: readonly FieldType[] = ['flag', 'whole', 'text', 'unknown'];

/** Parts of names that are neither a figure nor a time: an id, an address, a name. */
const POINTER =
  '(id|uid|uuid|guid|url|uri|link|href|api|address\\w*|e?mail|phone|path|name|code|class|group|zip|by|user)';
const NO_FIGURE = new RegExp(`(^| )${POINTER}s?( |$)`);
/** A figure with another meaning on an order or line. */
const noMoneyOf = (others: string) => new RegExp(`(^| )(${POINTER}s?|rate|percent\\w*|prozent|${others})( |$)`);

const figure = (...names: readonly RegExp[]): FieldRule => ({ names, types: FIGURE, never: NO_FIGURE });
const ID: FieldRule = { names: [/^(id|uid|uuid|guid)$/, /(^| )(id|uid|uuid|guid)$/], types: NAME, unique: true };
const ARTICLE = 'sku|article|artikel|art|item|product|produkt|material|part|teile';
const SKU: FieldRule = {
  names: [
    new RegExp(`^((${ARTICLE}) ?(no|nr|num|number|nummer|code|sku)|sku|sku code)$`),
    /^(number|code|no|nr|article|artikel|item)$/,
    /(^| )(sku|ean|gtin|artikelnr|artnr|item ?no)( |$)/,
  ],
  types: NAME,
};
export const SKU_NAMES = SKU.names;
const CHANGED: FieldRule = {
  names: [
    /^(last )?(changed|modified|updated|geaendert|aenderung|modification|update|write|upd|mod)( ?(at|on|am|date|time|datum|ts))?$/,
    /(^| )(changed|modified|modify|updated|update|geaendert|aenderung|aenderungs?datum|lastmod|write date)( |$)/,
    /^(time ?stamp|stamp|stand)$/,
  ],
  types: TIME,
  never: NO_FIGURE,
};
const CURRENCY: FieldRule = { names: [/(^| )(currency|waehrung|curr)( (code|iso|id))?$/], types: TEXT };

export const LINE_FIELDS: Readonly<Record<string, FieldRule>> = {
  sku: SKU,
  quantity: {
    ...figure(/^(quantity|qty|menge|anzahl|stueck)$/, /(^| )(quantity|qty|menge|amount|count|cases)( |$)/),
    never: noMoneyOf('tax|discount|price|shipping|total|preis'),
  },
  unit_price: {
    ...figure(
      /^(unit|einzel|net|item|vk|sell|sales)? ?(price|preis)$/,
      /^(price|preis|ep)( |$)|^unit (price|cost)|(^| )(price|preis|einzelpreis)( |$)/,
    ),
    never: noMoneyOf('incl|tax|total|old|list|weight|purchase|discount'),
  },
  shipped: figure(/^(qty |quantity )?(shipped|delivered|fulfilled|geliefert)( qty| quantity)?$/),
  given_up: figure(/^(qty )?(given up|cancell?ed|entfallen|storniert)( qty)?$/),
};

export const LISTS = {
  products: {
    names: [
      /^(product|article|artikel|item|material|part|sku|ware|good)(s|n)?$/,
      /(^| )(product|article|artikel|item|material|catalog|catalogue|sortiment)(s|stamm)?( |$)/,
    ],
    never:
      /(order|auftrag|bestell|line|position|pos|categor|kategorie|group|gruppe|image|bild|price|preis|stock|lager|bestand|history|log|tag|type|review|unit)/,
    fields: {
      id: ID,
      sku: { ...SKU, unique: true },
      name: {
        names: [/^(name|title|titel|bezeichnung|bez|label|designation)$/, /(^| )(name|title|bezeichnung|label)( 1)?$/],
        types: TEXT,
      },
      description: { names: [/^(description|beschreibung|beschr|text|long ?text|langtext|details)$/], types: TEXT },
      active: { names: [/^(is )?(active|aktiv|enabled|for sale|sellable|available|listed)$/], types: FLAG },
      status: { names: [/^(product )?(status|state)$/], types: NAME },
      locked: {
        names: [
          /^(is )?(locked|blocked|gesperrt|inactive|inaktiv|archived|disabled|discontinued|obsolete|hidden|sperre)$/,
        ],
        types: FLAG,
      },
      deleted: {
        names: [/^(is )?(deleted|geloescht|removed|del)( (at|on|am|date|time))?$/],
        types: [...FLAG, 'time'],
      },
      'price.amount': {
        ...figure(
          /^(list |sales |sell ?|selling |unit |net |vk |verkaufs ?|base |regular )?(price|preis)( regular| base)?( (amount|value|net|netto|cents?))?$/,
          /^(vk|preis|price)( |$)|(^| )(price|preis|vkpreis|verkaufspreis)( |$)/,
        ),
        never: new RegExp(
          `purchase|cost|einkauf|supplier|lieferant|(^| )(ek|old|uvp|msrp|category|collection|parent|special|promo\\w*|tier|min|max|update|${POINTER})( |$)`,
        ),
      },
      'price.currency': CURRENCY,
      unit_multiplier: figure(
        /^(unit multiplier|ve|case (size|qty|quantity)|units per case|pack(age)? (size|qty)|verpackungseinheit)$/,
        /(^| )(case|pack) (size|qty|quantity)( |$)|^per case$/,
      ),
      changed_at: CHANGED,
    },
    needs: [['sku'], ['name', 'price.amount']],
    byFields: {
      needs: [['sku'], ['price.amount'], ['name', 'description']],
      never: /^(qty|quantity|menge|anzahl)$|(^| )(order|invoice|auftrag|rechnung)|^trans id$/,
    },
  },
  stock: {
    names: [
      /^(stock|inventory|lager|bestand|bestaende|lagerbestand|inventories)( ?(level|item|figure)?s?)?$/,
      /(^| )(stock|inventory|lager|bestand|bestaende|lagerbestand|availability)( |$)/,
    ],
    never: /(history|log|movement|bewegung|location|ort|warehouse name|transfer)/,
    fields: {
      sku: SKU,
      product_id: { names: [new RegExp(`^(${ARTICLE}) (id|uuid)$`)], types: NAME },
      on_hand: {
        ...figure(
          /^(on ?hand|stock|bestand|lagerbestand|in stock|physical|inventory)( (qty|quantity|level))?$/,
          /(^| )(on ?hand|bestand|stock|qty|quantity|menge)( |$)/,
        ),
        never: noMoneyOf('sold|ordered|reserved|min\\w*|max\\w*|shipped|weight|price'),
      },
      reserved: figure(
        /^(qty |quantity )?(reserved|reserviert|allocated|committed)( (qty|quantity))?$/,
        /^(open|offen)$/,
      ),
      available: figure(/^(qty |quantity )?(available|verfuegbar|free|frei|atp)( (qty|quantity|stock))?$/),
      as_of: { names: [/^(as of|counted (at|on)|stand)$/], types: TIME },
      location: { names: [/^(location|warehouse|lagerort|ort|place|store)( (id|code|name))?$/], types: NAME },
    },
    needs: [
      ['on_hand', 'available'],
      ['sku', 'product_id'],
    ],
  },
  orders: {
    names: [
      /^((sales|customer) )?orders?$|^(auftrag|auftraege|kundenauftraege|bestellung|bestellungen|sales)$/,
      /(^| )(orders?|auftrag|auftraege|bestellung(en)?)( |$)/,
    ],
    never:
      /(line|position|pos|purchase|einkauf|supplier|lieferant|histor|log|status|type|payment|invoice|item|detail|file|attach|anhang|anlage|image|comment|mail|message|template|setting|permission)/,
    fields: {
      id: {
        names: [
          ...ID.names.slice(0, 1),
          /(^| )(id|uid|uuid)$|^(order|sales|auftrags?|bestell|beleg) ?(number|no|nr|nummer)$/,
        ],
        types: NAME,
        unique: true,
      },
      reference: {
        names: [
          /^((your|external|marketplace|markt|customer|client|partner|shop) )?(reference|ref|referenz)( (no|nr|number))?$/,
          /^(external|marketplace|markt|customer|shop) (order )?(nr|no|number|id)$|^(po|order|ord|auftrags?|bestell) ?(number|no|nr|nummer)$/,
          /(^| )(reference|ref|referenz|number|nummer|nr)( |$)/,
        ],
        types: NAME,
        unique: true,
      },
      origin: { names: [/^(origin|channel|source|kanal|herkunft)$/], types: TEXT },
      status: {
        names: [/^(order )?(status|state|stage|zustand)( (code|key|value))?$/, /(^| )(status|state)( |$)/],
        types: NAME,
      },
      'customer.id': {
        names: [/^(customer|kunde|kd|client|buyer|partner|debitor)s? (id|no|nr|number)$|^kunden ?(nr|nummer)$/],
        types: NAME,
      },
      'customer.marketplace_id': { names: [/^(customer|client|buyer) marketplace id$/], types: NAME },
      'customer.name': {
        names: [/^((customer|kunde|kunden|kd|client|buyer|partner) ?name|customer|kunde|client|buyer)$/],
        types: TEXT,
      },
      currency: CURRENCY,
      lines: {
        names: [
          /^((order|sales|line|sale) )?(lines|items|positions|positionen|rows|entries|products)( (nodes|items|edges))?$/,
          /(^| )(lines|items|positions|positionen|rows|entries|products)$/,
        ],
        types: ['list'],
        // Such a list has only some of the goods, and changes as they leave.
        never:
          /(^| )(un ?\w*ed|open|shipped|shipments?|refund\w*|cancel\w*|pending|remaining|back ?order\w*|return\w*|deliver\w*|fulfil\w*|offen\w*)( |$)/,
      },
      discount: {
        ...figure(
          /^((order|total) )?(discount|rabatt|nachlass)( (total|amount|sum))?( (amount|value))?$/,
          /(^| )(discount|rabatt|nachlass)( |$)/,
        ),
        never: noMoneyOf('tax|shipping|incl|line|item'),
      },
      shipping: {
        ...figure(
          /^(shipping|freight|fracht|versand|versandkosten|postage)( (fee|cost|costs|total|amount|price|kosten))?( excl( tax)?)?( (amount|value))?$/,
          /(^| )(shipping|freight|fracht|versand|versandkosten|postage)( |$)/,
        ),
        never: noMoneyOf('tax amount|discount|incl|method|weight'),
      },
      tax: {
        ...figure(
          /^((order|total|sales) )?(tax|taxes|vat|steuer|mwst|ust)( (total|amount|sum))?( (amount|value))?$/,
          /(^| )(tax|taxes|vat|steuer|mwst|ust)( |$)/,
        ),
        never: noMoneyOf('shipping|fee|excl|incl|included|item|line|price|sub'),
      },
      total: {
        ...figure(
          /^(grand |order )?(total|sum|summe|gesamt|gesamtsumme)( amount)?( (amount|value))?$/,
          /(^| )(total|summe)( |$)/,
          /^(amount|betrag)$/,
        ),
        never: noMoneyOf('tax|shipping|discount|sub|items?|qty|quantity|weight|count|net|excl|paid|due'),
      },
      note: {
        names: [/^(note|notes|remark|remarks|comment|comments|bemerkung|memo|notiz|hinweis)$/],
        types: TEXT,
      },
      changed_at: CHANGED,
    },
    needs: [
      ['id', 'reference'],
      ['status', 'lines', 'total', 'currency', 'customer.id', 'customer.name'],
    ],
    byFields: {
      needs: [['id'], ['reference'], ['total', 'status'], ['currency', 'customer.id', 'customer.name']],
      never: /^(inv|invoice|rechnungs?) ?(number|no|nr|nummer)$|vendor|supplier|lieferant|^(sku|qty|quantity|menge)$/,
    },
  },
  customers: {
    names: [
      /^(customer|client|kunde|kunden|debitor|debitoren|buyer|retailer)s?$/,
      /(^| )(customer|client|kunde|kunden|debitoren|buyer)s?( |$)/,
    ],
    never: /(group|gruppe|order|auftrag|address|adresse|contact|history|log|type)/,
    fields: {
      id: ID,
      name: { names: [/^(name|company|firma|firmenname)( 1| name)?$/, /(^| )(name|company|firma)( 1)?$/], types: TEXT },
      email: { names: [/^(e ?)?mail( address)?$/, /(^| )e ?mail( |$)/], types: TEXT },
      phone: { names: [/^(phone|telephone|telefon|tel)( (no|nr|number))?$/], types: NAME },
      marketplace_id: { names: [/^(marketplace|markt|external) (id|nr|no)$/], types: NAME },
      changed_at: CHANGED,
    },
    needs: [['id'], ['name']],
  },
} as const satisfies Readonly<Record<string, ListRule>>;
export type ListName = keyof typeof LISTS;

/** The usual words for each order status. */
export const STATUS_WORDS: readonly (readonly [meaning: string, words: RegExp])[] = [
  ['draft', /^(draft|entwurf|new|neu|open|offen|entered|pending|angelegt|erfasst|quote|submitted)$/],
  [
    'reserved',
    /^(reserved|reserviert|confirmed|bestaetigt|released|freigegeben|accepted|processing|in arbeit|picking)$/,
  ],
  ['shipped', /^(shipped|geliefert|delivered|versandt|versendet|fulfilled|completed?|done|erledigt|gone|closed)$/],
  ['cancelled', /^(cancell?ed|storniert|void|voided|rejected|abgelehnt|storno)$/],
];
