import type { AccountConfig } from '../config/resolve.ts';
import type { Code } from '../domain/causes/cause.ts';
import type { ErpConnector, ErpPage } from '../erp/connector.ts';
import type { KeysAfter } from '../store/each-key.ts';
import type { Store } from '../store/store.ts';
import type { Look, ReadContext } from './context.ts';
import { notePulled, pullBack } from './pull-back.ts';
import { readAllAssignments } from './read-assignments.ts';
import { readBatches } from './read-batches.ts';
import { readCustomers, sweepCustomers } from './read-customers.ts';
import { listErpPayments, listErpProducts, readErpLots, readErpPayments, readErpProducts } from './read-erp.ts';
import { listErpCustomers, readErpCustomers } from './read-erp-customers.ts';
import { listErpOrders, readErpOrders } from './read-erp-orders.ts';
import { listErpStock, readErpStock } from './read-erp-stock.ts';
import { readImages } from './read-images.ts';
import { readMeasurements } from './read-measurements.ts';
import { readNames } from './read-names.ts';
import { readLateOrders, readOrders } from './read-orders.ts';
import { readPayments, sweepPayments } from './read-payments.ts';
import { readProducts, sweepProducts } from './read-products.ts';
import { readTransportOrders, sweepTransportOrders } from './read-transports.ts';

export type Read = (context: ReadContext, look: Look) => Promise<unknown>;

type ErpList = (since: string | null, signal: AbortSignal) => AsyncIterable<ErpPage<object>>;

/** How a list is read, and what the program needs to know of it. */
export interface Collection {
  /** Reads rows changed since the last read. Job `read:NAME`. */
  readonly changes: Read;
  /** Reads every row, at the start of a full pass and daily. Job `read:all-NAME`. */
  readonly whole?: Read;
  /** Rereads rows that may have become visible late, at the first and the daily read. Job `read:late-NAME`. */
  readonly late?: Read;
  /** The daemon starts with a read of every row. */
  readonly startsWhole?: true;
  readonly everyMs: (account: AccountConfig) => number;
  /** The list is polled more often while webhooks of this kind are silent. */
  readonly webhooks?: 'orders' | 'products';
  /** Each row has its own due time, so the age of the last read means nothing. */
  readonly byRow?: true;
  /** The list has no change times, so no period can be missed. */
  readonly isTimeless?: true;
  /** The keys of its rows in the shadow, if a flow works on each row. */
  readonly keys?: (store: Store) => KeysAfter;
  /** The code that holds an entity whose row in this list is invalid. */
  readonly invalidRow?: Code;
  /** The list of the ERP contract, for a trial read. undefined: the ERP has none. */
  readonly erpList?: (erp: ErpConnector) => ErpList | undefined;
  /** A row's time of change, for a trial: a read of changes must not return unchanged rows. */
  readonly changedAt?: (row: never) => string;
}

/** The schedule checks this often, even if the configured interval is longer. */
const NAMES_LOOK_MS = 60 * 60_000;
const IMAGES_LOOK_MS = 60_000;

const ofErp = ({ erp }: AccountConfig): number => erp.pollMs;

/**
 * All lists in reading order. Lists needed to judge others come first: ERP products before stock, and orders before
 * listings, because orders explain a listing's figures.
 */
const TABLE = {
  names: {
    changes: readNames,
    everyMs: ({ products }) => Math.min(products.namesEveryMs, NAMES_LOOK_MS),
    byRow: true,
  },
  'erp-customers': {
    invalidRow: 'erp-customer-invalid',
    changes: readErpCustomers,
    whole: listErpCustomers,
    everyMs: ofErp,
    keys: ({ erp }) => erp.customerIds,
    erpList: (erp) => erp.listCustomers?.bind(erp),
  },
  customers: {
    invalidRow: 'customer-invalid',
    changes: readCustomers,
    whole: sweepCustomers,
    everyMs: ({ customers }) => customers?.pollMs ?? Number.POSITIVE_INFINITY,
    keys: ({ customers }) => customers.ids,
  },
  'erp-products': {
    invalidRow: 'erp-product-invalid',
    changes: readErpProducts,
    whole: listErpProducts,
    startsWhole: true,
    everyMs: ofErp,
    keys: ({ erp }) => erp.productIds,
    erpList: (erp) => erp.listProducts.bind(erp),
    changedAt: ({ changedAt }: { changedAt: string }) => changedAt,
  },
  'erp-lots': {
    invalidRow: 'lot-invalid',
    changes: readErpLots,
    everyMs: ofErp,
    keys: ({ erp }) => erp.lotIds,
    erpList: (erp) => erp.listLots?.bind(erp),
    changedAt: ({ changedAt }: { changedAt: string }) => changedAt,
  },
  'erp-stock': {
    invalidRow: 'stock-invalid',
    changes: readErpStock,
    whole: listErpStock,
    everyMs: ofErp,
    erpList: (erp) => erp.listStock.bind(erp),
  },
  'erp-orders': {
    invalidRow: 'erp-order-invalid',
    changes: readErpOrders,
    whole: listErpOrders,
    everyMs: ofErp,
    keys: ({ erp }) => erp.orderIds,
    erpList: (erp) => erp.listOrders.bind(erp),
    changedAt: ({ changedAt }: { changedAt: string }) => changedAt,
  },
  orders: {
    invalidRow: 'order-invalid',
    changes: readOrders,
    late: readLateOrders,
    everyMs: ({ marketplace }) => marketplace.poll.ordersMs,
    webhooks: 'orders',
    keys: ({ orders }) => orders.numbers,
  },
  'transport-orders': {
    changes: readTransportOrders,
    whole: sweepTransportOrders,
    everyMs: ({ orders }) => orders.transports?.pollMs ?? Number.POSITIVE_INFINITY,
    isTimeless: true,
    keys: ({ transports }) => transports.orderKeys,
  },
  products: {
    invalidRow: 'listing-invalid',
    changes: readProducts,
    whole: sweepProducts,
    everyMs: ({ marketplace }) => marketplace.poll.productsMs,
    webhooks: 'products',
    keys: ({ products }) => products.unlinkedIds,
  },
  batches: {
    changes: readBatches,
    everyMs: ({ facilities }) => facilities?.pollMs ?? Number.POSITIVE_INFINITY,
    isTimeless: true,
  },
  measurements: {
    invalidRow: 'measurements-invalid',
    changes: readMeasurements,
    everyMs: ({ facilities }) => facilities?.pollMs ?? Number.POSITIVE_INFINITY,
    isTimeless: true,
  },
  assignments: {
    invalidRow: 'assignments-invalid',
    changes: readAllAssignments,
    everyMs: ({ assignments }) => assignments?.pollMs ?? Number.POSITIVE_INFINITY,
    isTimeless: true,
  },
  images: {
    changes: readImages,
    everyMs: ({ products }) => Math.min(products.images?.recheckMs ?? IMAGES_LOOK_MS, IMAGES_LOOK_MS),
    byRow: true,
  },
  payments: {
    invalidRow: 'payment-invalid',
    changes: readPayments,
    whole: sweepPayments,
    everyMs: ({ payments }) => payments?.pollMs ?? Number.POSITIVE_INFINITY,
    keys: ({ payments }) => payments.ids,
  },
  'erp-payments': {
    invalidRow: 'erp-payment-invalid',
    changes: readErpPayments,
    whole: listErpPayments,
    everyMs: ofErp,
    keys: ({ erp }) => erp.paymentIds,
    erpList: (erp) => erp.listPayments.bind(erp),
  },
} satisfies Record<string, Collection>;

export type CollectionName = keyof typeof TABLE;

export const COLLECTION_NAMES = Object.keys(TABLE) as readonly CollectionName[];

export const COLLECTIONS = Object.fromEntries(
  COLLECTION_NAMES.map((name) => [name, fromNoFuture(name, TABLE[name])]),
) as Readonly<Record<CollectionName, Collection>>;

/** Makes sure that no read begins in the future of its side. */
function fromNoFuture(name: CollectionName, collection: Collection): Collection {
  const guarded =
    (read: Read): Read =>
    async (context, look) => {
      await pullBack(context, look, name);
      await read(context, look);
      await notePulled(context, name);
    };
  const { changes, whole, late } = collection;
  return {
    ...collection,
    changes: guarded(changes),
    ...(whole === undefined ? {} : { whole: guarded(whole) }),
    ...(late === undefined ? {} : { late: guarded(late) }),
  };
}

/** The kinds of reads, by the prefix of their job. */
const JOBS = { changes: 'read:', whole: 'read:all-', late: 'read:late-' } as const;
type ReadKind = keyof typeof JOBS;

export type ReadName = {
  [Name in CollectionName]: {
    [Kind in ReadKind]: (typeof TABLE)[Name] extends Record<Kind, Read> ? `${(typeof JOBS)[Kind]}${Name}` : never;
  }[ReadKind];
}[CollectionName];

export const READS = Object.fromEntries(
  COLLECTION_NAMES.flatMap((name) =>
    (Object.keys(JOBS) as ReadKind[]).flatMap((kind) => {
      const read = COLLECTIONS[name][kind];
      return read === undefined ? [] : [[JOBS[kind] + name, read]];
    }),
  ),
) as Readonly<Record<ReadName, Read>>;

/** Returns whether the reads of this list cover periods of time. Reads of a full list do not. */
export function isReadByTime(name: string): boolean {
  return Object.hasOwn(COLLECTIONS, name) && !COLLECTIONS[name as CollectionName].isTimeless;
}

function jobsOf(name: CollectionName, ...kinds: readonly ReadKind[]): ReadName[] {
  const had = kinds.filter((kind) => COLLECTIONS[name][kind] !== undefined);
  return had.map((kind) => `${JOBS[kind]}${name}` as ReadName);
}

export function changesOf(name: CollectionName): ReadName {
  return `read:${name}`;
}

/** The first reads of a full pass: every row of each list that can be read in full. */
export function firstReads(names: readonly CollectionName[]): ReadName[] {
  return names.flatMap((name) => jobsOf(name, COLLECTIONS[name].whole === undefined ? 'changes' : 'whole', 'late'));
}

export function startReads(names: readonly CollectionName[]): ReadName[] {
  return names.flatMap((name) => jobsOf(name, COLLECTIONS[name].startsWhole ? 'whole' : 'changes'));
}

/** The daily reads: every row of lists whose reads of changes may miss rows. */
export function fullReads(names: readonly CollectionName[]): ReadName[] {
  return names.flatMap((name) => jobsOf(name, 'whole', 'late'));
}

/** All jobs of a list. Braked writes wait until none is running. */
export function readsOf(name: CollectionName): ReadName[] {
  return jobsOf(name, 'changes', 'whole', 'late');
}
