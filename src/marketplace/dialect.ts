import { field } from './entities/amounts.ts';
import { RECORD_FIELDS, RECORD_KINDS, type RecordKind } from './operations/record-names.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RecordDialect {
  /** Our field name -> its path, such as `freight` or `totals.freight`; null: none. */
  readonly places: Readonly<Record<string, string | null>>;
  /** Our field name -> the deployment's word for a value -> our value. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly inside: Readonly<Record<string, RecordDialect>>;
}

export type Dialect = Readonly<Record<RecordKind, RecordDialect>>;

/** Fields that are ignored until a setting names them. */
const UNNAMED = ['discount_type', 'requested_date', 'customer_name'];

export interface DialectSettings {
  readonly fields: Readonly<Record<RecordKind, Readonly<Record<string, string | undefined>>>>;
  readonly statuses: Readonly<Record<string, string>>;
  readonly discountTypes: Readonly<Record<string, string>>;
  readonly listingStates: Readonly<Record<string, string>>;
}

export function dialectOf({ fields, statuses, discountTypes, listingStates }: DialectSettings): Dialect {
  const [order, product, customer] = RECORD_KINDS.map((kind): RecordDialect => {
    const moved = Object.entries(RECORD_FIELDS[kind]).flatMap(([setting, name]) => {
      const place = fields[kind][setting] ?? (UNNAMED.includes(setting) ? null : name);
      return place === name ? [] : [[name, place] as const];
    });
    return { places: Object.fromEntries(moved), words: {}, inside: {} };
  }) as [RecordDialect, RecordDialect, RecordDialect];
  const words = { status: statuses, discount_type: discountTypes };
  return {
    order: { ...order, words, inside: { customer } },
    product: { ...product, words: { listing_state: listingStates } },
    customer,
  };
}

export function withoutFieldNames({ order, product, customer }: Dialect): Dialect {
  const plain = (spoken: RecordDialect): RecordDialect => ({ ...spoken, places: {}, inside: {} });
  return { order: plain(order), product: plain(product), customer: plain(customer) };
}

/** Translates a deployment's record into ours. Fields without another name stay as sent. */
export function toOurRecord<Row>(spoken: RecordDialect | undefined, row: Row): Row {
  if (spoken === undefined || typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  let read = row as Fields;
  for (const [name, place] of Object.entries(spoken.places)) {
    const { [name]: own, ...others } = read;
    const value = place === null ? undefined : valueAt(row, place);
    if (value !== undefined) read = { ...read, [name]: value };
    else if (own !== undefined) read = others;
  }
  for (const [name, words] of Object.entries(spoken.words)) {
    const word = read[name];
    if (typeof word === 'string' && Object.hasOwn(words, word)) read = { ...read, [name]: words[word] };
  }
  for (const [name, inner] of Object.entries(spoken.inside)) {
    const value = toOurRecord(inner, read[name]);
    if (value !== read[name]) read = { ...read, [name]: value };
  }
  return read as Row;
}

/** Fields that the deployment does not have are dropped. */
export function toDeploymentBody(spoken: RecordDialect | undefined, body: unknown): unknown {
  if (spoken === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.entries(withWords(spoken, body as Fields)).reduce<Fields>((sent, [name, value]) => {
    const place = Object.hasOwn(spoken.places, name) ? (spoken.places[name] ?? null) : name;
    return place === null ? sent : withAt(sent, place.split('.'), value);
  }, {});
}

/** Translates values. Of several words for a value, the first is written. */
export function withWords<Sent extends Fields>(spoken: RecordDialect | undefined, sent: Sent): Sent {
  const spelled = Object.entries(spoken?.words ?? {}).flatMap(([name, words]) => {
    const first = Object.entries(words).find(([, value]) => value === sent[name]);
    return first === undefined ? [] : [[name, first[0]] as const];
  });
  return spelled.length === 0 ? sent : { ...sent, ...Object.fromEntries(spelled) };
}

/** The path of a field in the record as sent. */
export function sentPlace(spoken: RecordDialect | undefined, path: string): string {
  const [name = ''] = path.split(/[.[]/);
  const place = spoken?.places[name] ?? null;
  return place === null ? path : place + path.slice(name.length);
}

/** Earlier versions stored records with the deployment's names. */
export function storedField(spoken: RecordDialect, row: unknown, name: string): unknown {
  const place = spoken.places[name] ?? null;
  return field(row, name) ?? (place === null ? undefined : valueAt(row, place));
}

/** The value at a path; undefined: none. */
export function valueAt(row: unknown, place: string): unknown {
  return place.split('.').reduce(field, row);
}

function withAt(object: Fields, [name = '', ...below]: readonly string[], value: unknown): Fields {
  const inner = object[name] ?? {};
  return { ...object, [name]: below.length === 0 ? value : withAt(inner as Fields, below, value) };
}
