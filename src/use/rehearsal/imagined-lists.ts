import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { Place } from '../../domain/facility-ledger.ts';
import { isBefore } from '../../domain/instant.ts';
import { CUSTOMER_STATUSES } from '../../shadow/read-customers.ts';
import { NAMES } from '../../shadow/read-names.ts';
import { eachKey, type KeysAfter } from '../../store/each-key.ts';
import type { NameKind } from '../../store/marketplace.ts';
import type { ChangedOrders } from './imagined-orders.ts';
import {
  type Commands,
  createShownIndex,
  type Fields,
  type Readers,
  type Shadow,
  type ShownIndex,
  shownCustomer,
  shownListing,
} from './shown.ts';

export interface Shown {
  readonly listings: ShownIndex;
  readonly customers: ShownIndex;
}

const LISTINGS: Readers = {
  sku: ({ sku }) => [String(sku)],
  external_id_values: externalIds,
};
const CUSTOMERS: Readers = {
  name: ({ name }) => [String(name)],
  email: ({ email }) => [String(email)],
  license_number: ({ license_number: license }) => [String(license)],
  external_id_values: externalIds,
};

export function createShown(shadow: Shadow): Shown {
  const { store } = shadow;
  const listingIds: KeysAfter = async (account, after, limit) =>
    (await store.products.list(account, Number(after), limit)).map(({ id }) => String(id));
  return {
    listings: createShownIndex(shadow, listingIds, (id) => shownListing(shadow, Number(id)), LISTINGS),
    customers: createShownIndex(shadow, store.customers.ids, (id) => shownCustomer(shadow, Number(id)), CUSTOMERS),
  };
}

/** Answers lists: a search finds entities of the shadow, a plain list of changes is empty. */
export function imaginedLists(shadow: Shadow, shown: Shown, commands: Commands, orders: ChangedOrders) {
  const { account, store } = shadow;
  let payments: Promise<readonly Payment[]> | null = null;
  return {
    'orders.list': async () => (await orders.list()).toSorted((a, b) => (isBefore(at(a), at(b)) ? -1 : 1)),
    'products.list': (query: Fields) =>
      search(query, shown.listings, (id) => shownListing(shadow, Number(id)), LISTINGS),
    'customers.list': (query: Fields) =>
      search(query, shown.customers, (id) => shownCustomer(shadow, Number(id)), CUSTOMERS),
    'order-payments.list': async ({ created_date_from: from }: Fields) => {
      payments ??= knownPayments(shadow);
      const isSince = ({ created_date: at }: Payment) => typeof from !== 'string' || (at ?? from) >= from;
      return (await payments).filter(isSince);
    },
    'customer-statuses.list': async () => {
      const known = await store.facts.get(account, CUSTOMER_STATUSES);
      return known === null ? [] : (JSON.parse(known) as [string, number][]).map(([state, id]) => ({ id, state }));
    },
    'product-images.list': async ({ product }: Fields) => {
      const placed = await store.images.ofListing(account, Number(product));
      return placed.map(({ id, listingId, position }) => ({ id, product: listingId, position }));
    },
    'inventory.measurements-by-product-facility-batch': (query: Fields) => measurements(shadow, query, commands),
    ...Object.fromEntries(
      (Object.keys(NAMES) as NameKind[]).map((kind) => [NAMES[kind].list, () => names(shadow, kind)]),
    ),
  };
}

const at = ({ modified }: Fields) => String(modified);

/** Entities that match every filter; none without a filter. */
async function search(
  query: Fields,
  index: ShownIndex,
  show: (id: string) => Promise<Fields | null>,
  readers: Readers,
): Promise<readonly Fields[]> {
  const wanted = new Map(
    ['id', ...Object.keys(readers)]
      .filter((name) => query[name] !== undefined)
      .map((name) => [name, new Set([query[name]].flat().flatMap((value) => String(value).split(',')))]),
  );
  const [first] = wanted;
  if (first === undefined) return [];
  const candidates = first[0] === 'id' ? first[1] : await index.candidates(...first);
  const isArchived = query['archived'] === true || query['is_archived'] === true;
  const read: Readers = { ...readers, id: ({ id }) => [String(id)], external_id_values: externalId(query) };
  const found: Fields[] = [];
  for (const id of candidates) {
    const row = await show(id);
    if (row === null || (!wanted.has('id') && isArchived !== isShownAsArchived(row))) continue;
    if ([...wanted].every(([name, values]) => read[name]?.(row).some((value) => values.has(value)))) found.push(row);
  }
  return found;
}

function isShownAsArchived({ archived, is_archived: isArchived }: Fields): boolean {
  return archived === true || isArchived === true;
}

function externalIds({ external_ids: ids }: Fields): string[] {
  return Object.values((ids as Fields | null | undefined) ?? {}).map(String);
}

function externalId({ external_id_key: key }: Fields): Readers[string] {
  return ({ external_ids: ids }) => [String((ids as Fields | null | undefined)?.[String(key)])];
}

type Payment = Fields & { readonly created_date: string | null };

/** All payments, for finding a create with a lost answer. */
async function knownPayments({ account, store }: Shadow): Promise<readonly Payment[]> {
  const rows: Payment[] = [];
  for await (const id of eachKey(account, store.payments.ids, new AbortController().signal)) {
    const payment = await store.payments.get(account, id);
    if (payment === null) continue;
    const { orderNumber, total, currency, type, paidAt, createdAt } = payment;
    const shown = { order: orderNumber, total: total.toFixed(), currency, payment_type: type };
    rows.push({ id: Number(id), ...shown, payment_date: paidAt, created_date: createdAt });
  }
  return rows;
}

const MAX_NAMES = 100_000;

async function names({ account, store }: Shadow, kind: NameKind): Promise<readonly Fields[]> {
  return (await store.names.list(account, kind, MAX_NAMES)).map(({ id, name, parentId }) => ({
    id,
    name,
    ...(kind === 'product_line' ? { brand: parentId } : { category: parentId }),
  }));
}

async function measurements(
  { account, store }: Shadow,
  { product_id: asked }: Fields,
  commands: Commands,
): Promise<readonly Fields[]> {
  const rows: Fields[] = [];
  for (const id of typeof asked === 'string' ? asked.split(',').map(Number) : []) {
    const known = (await store.measurements.get(account, id))?.byPlace ?? new Map<Place, never>();
    const set = commands.get(id) ?? new Map<string, never>();
    for (const place of new Set([...known.keys(), ...set.keys()])) {
      const [before, after] = [known.get(place as Place), set.get(place)];
      const { facilityId, batchId } = after ?? before ?? never(place);
      const reserved: Decimal | undefined = before?.reserved;
      const onHand = after === undefined ? before?.onHand : parseDecimal(after.onHand);
      const available = reserved === undefined ? onHand : onHand?.minus(reserved);
      rows.push({
        product_id: id,
        facility_id: facilityId,
        batch_id: batchId,
        on_hand_quantity: onHand?.toFixed() ?? '0',
        reserved_quantity: reserved?.toFixed() ?? '0',
        available_quantity: available?.toFixed() ?? '0',
      });
    }
  }
  return rows;
}

function never(place: string): never {
  throw new Error(`invariant: place ${place} is known or was written`);
}
