import { type Cause, cause } from '../domain/causes/cause.ts';
import { isBefore } from '../domain/instant.ts';
import type { ErpLot, ErpPage, ErpPayment, ErpProduct } from '../erp/connector.ts';
import { STANDS } from '../store/gone.ts';
import { recordFullRead, setAlert } from './alerts.ts';
import { claimsOfPayment } from './claims.ts';
import type { AccountRecords, ErpReading, Look, Recording } from './context.ts';
import { beginContradictions } from './contradictions.ts';
import { readCapabilities } from './erp-capabilities.ts';
import { type ErpCollection, pageRecorder } from './erp-shadow.ts';
import { holesOf, noteHole } from './holes.ts';
import { type Began, beginRead, recordReadTime } from './last-read.ts';
import { reachedBack, reachOf } from './late-rows.ts';
import { isTooIncomplete } from './pages.ts';
import { pullBackBehind } from './pull-back.ts';
import { beginRoll, secondList } from './roll-call.ts';
import { watchFutureRows } from './rows-ahead.ts';
import { beginWitness } from './witness.ts';

export async function readErpProducts(context: ErpReading, look: Look): Promise<void> {
  const { account, erp, store } = context;
  const shown = new Set<string>();
  const record = pageRecorder(context, look, 'erp-products', (items: readonly ErpProduct[]) => {
    for (const { id } of items) shown.add(id);
    return store.erp.recordProducts(account, items, { listing: null, lane: look.lane });
  });
  const complete = await readChanged(context, look, 'erp-products', erp.listProducts.bind(erp), record);
  if (complete && erp.notices?.products === 'whole' && (await isTwinAbsent(context, shown)))
    await listErpProducts(context, look);
}

/**
 * For lists that are read in full at each poll: returns whether one of two products with the same SKU is missing. Until
 * its absence is confirmed, it holds the other one.
 */
async function isTwinAbsent({ account, store }: AccountRecords, shown: ReadonlySet<string>): Promise<boolean> {
  return (await store.erp.heldTwins(account)).some((id) => !shown.has(id));
}

export async function readErpPayments(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store } = context;
  if (config.payments === null) return;
  const record = pageRecorder(context, look, 'erp-payments', (items: readonly ErpPayment[]) =>
    store.erp.recordPayments(account, items, look.lane),
  );
  const began = await beginRead(context);
  const complete = await readChanged(context, look, 'erp-payments', erp.listPayments.bind(erp), record);
  if (complete) await recordReadTime(context, 'erp-payments', began);
}

/** Lists every ERP payment. One that two full lists in a row lack is gone. */
export async function listErpPayments(context: ErpReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  if (config.payments === null) return;
  // Before the first read of changes, nothing can be missing.
  if ((await store.cursors.get(account, 'erp-payments')) === null) return readErpPayments(context, look);
  const began = await beginRead(context);
  const roll = await beginRoll(context, look, 'erp-payments');
  const first = await listPaymentsOnce(context, look);
  if (first === null) return;
  roll.saw(first.ids, first.claims);
  await recordReadTime(context, 'erp-payments', began);
  const stand = await roll.settle(
    true,
    secondList(async () => (await listPaymentsOnce(context, look))?.ids ?? null),
  );
  if (stand) await noteStanding(context, began);
  await readErpPayments(context, look);
}

/** Records the read: two similar payments under different ids are separate if both still exist. */
async function noteStanding({ account, store }: AccountRecords, { atMs }: Began): Promise<void> {
  await store.facts.set(account, `${STANDS}erp-payments`, String(atMs));
  await store.work.release({ account, codes: ['payment-like-earlier'], isOver: true });
}

/** null: the ERP calls the list incomplete. */
async function listPaymentsOnce(context: ErpReading, look: Look) {
  const { account, erp, store } = context;
  const record = pageRecorder(context, look, 'erp-payments', (items: readonly ErpPayment[]) =>
    store.erp.recordPayments(account, items, look.lane),
  );
  const pages = erp.listPayments(null, look.signal);
  const read = await readWhole(context, 'erp-payments', pages, record, claimsOfPayment);
  return read.complete ? read : null;
}

export async function readErpLots(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store } = context;
  if (config.facilities?.batches == null || erp.listLots === undefined) return;
  const record = pageRecorder(context, look, 'erp-lots', (items: readonly ErpLot[]) =>
    store.erp.recordLots(account, items, look.lane),
  );
  await readChanged(context, look, 'erp-lots', erp.listLots.bind(erp), record);
}

/**
 * Stores a read page by page. Returns the ERP's time at its start (null: no page), whether the ERP calls it complete,
 * and the number of rows.
 */
export async function readThrough<T>(
  context: Pick<AccountRecords, 'account' | 'store'>,
  collection: ErpCollection,
  pages: AsyncIterable<ErpPage<T>>,
  record: (page: ErpPage<T>) => Promise<void>,
) {
  let read = { asOf: null as string | null, complete: false, rows: 0 };
  const ahead = watchFutureRows(context, collection);
  const contradictions = await beginContradictions<T>(context, collection);
  let notices: ErpPage<T>['notices'];
  for await (const page of pages) {
    ahead.saw(page.ahead);
    notices = page.notices;
    const { items, invalidRows } = contradictions.judged(page);
    await record({ ...page, items, invalidRows });
    read = { asOf: read.asOf ?? page.asOf, complete: page.complete, rows: read.rows + items.length };
  }
  const { asOf, complete } = read;
  const heldBack = contradictions.settled();
  if (asOf !== null && heldBack.items.length > 0) await record({ ...heldBack, asOf, complete });
  read = { ...read, rows: read.rows + heldBack.items.length };
  await ahead.settle();
  if (notices !== undefined) await setAlert(context, `erp:notices:${collection}`, notices);
  return read;
}

/**
 * As `readThrough`, for a full list, with the ids of its rows and their claims to be known entities under new ids. An
 * invalid row also proves that its entity exists.
 */
export async function readWhole<T extends { readonly id: string }>(
  context: Pick<AccountRecords, 'account' | 'store'>,
  collection: ErpCollection,
  pages: AsyncIterable<ErpPage<T>>,
  record: (page: ErpPage<T>) => Promise<void>,
  claimsOf: (row: T) => readonly string[],
) {
  const ids: string[] = [];
  const claims: string[] = [];
  const read = await readThrough(context, collection, pages, async (page) => {
    await record(page);
    claims.push(...page.items.flatMap(claimsOf));
    for (const { id } of [...page.items, ...page.invalidRows]) if (id !== null) ids.push(id);
  });
  return { ...read, ids, claims };
}

/**
 * Reads changes. Only a read that the ERP calls complete advances the cursor, to the ERP's time when it began. Returns
 * whether it was complete.
 */
export async function readChanged<T>(
  context: Recording,
  look: Look,
  collection: ErpCollection,
  list: (since: string | null, signal: AbortSignal) => AsyncIterable<ErpPage<T>>,
  record: (page: ErpPage<T>) => Promise<void>,
): Promise<boolean> {
  const { account, store } = context;
  const cursor = (await store.cursors.get(account, collection))?.value ?? null;
  const [hole] = await holesOf(context, collection);
  const reach = await reachOf(context, collection, cursor);
  const usual = reach.from;
  const from = hole === undefined || usual === null || isBefore(usual, hole.from ?? '') ? usual : hole.from;
  const { asOf, complete, rows } = await readThrough(context, collection, list(from, look.signal), record);
  const finding = complete ? null : 'the ERP called this read incomplete';
  // A read from a time ahead of the ERP's clock returns nothing.
  const began = asOf !== null && isBefore(asOf, from ?? asOf) ? asOf : from;
  const reached = complete ? { to: asOf, cursor: asOf } : { to: began, cursor: null };
  await store.cursors.record({ account, collection, from: began, rows, finding, ...reached });
  if (complete && asOf !== null && reach.isLate) await reachedBack(context, collection, asOf);
  if (hole !== undefined && complete) await noteHole(context, collection, hole, `${rows} rows, up to ${asOf}`);
  await pullBackBehind(context, collection, cursor, { servedAt: asOf, namesZones: true, reachMs: 0 });
  return complete;
}

/**
 * Lists every ERP product. A product missing in a complete list is gone if a second one lacks it too. A list that is
 * incomplete, empty or lacks more than a tenth of the sold products removes nothing.
 */
export async function listErpProducts(context: ErpReading, look: Look): Promise<void> {
  await readCapabilities(context, look);
  const witness = await beginWitness<ErpProduct>(context, 'erp-products');
  const absent = await listOnce(context, look, witness.saw);
  await witness.settle();
  if (absent > 0) await listOnce(context, look, () => Promise.resolve());
}

async function listOnce(
  context: ErpReading,
  look: Look,
  saw: (rows: readonly ErpProduct[], changed: readonly string[]) => Promise<void>,
): Promise<number> {
  const { account, erp, store, now } = context;
  const listing = await store.cursors.tick(account);
  const startedMs = now();
  // Counted before this list's products are stored.
  const { sold } = await store.erp.missingFrom(account, listing);
  const record = pageRecorder(context, look, 'erp-products', async (items: readonly ErpProduct[]) =>
    saw(items, await store.erp.recordProducts(account, items, { listing, lane: look.lane })),
  );
  let nameless = 0;
  let invalidRows = 0;
  const { asOf, complete, rows } = await readThrough(
    context,
    'erp-products',
    erp.listProducts(null, look.signal),
    async (page) => {
      await record(page);
      // An invalid row proves that its product exists. Without an id, it could be any product.
      const ids = page.invalidRows.flatMap(({ id }) => id ?? []);
      await store.erp.seenInListing(account, ids, listing);
      nameless += page.invalidRows.length - ids.length;
      invalidRows += page.invalidRows.length;
    },
  );
  const size = rows + invalidRows;
  const doubt = complete
    ? nameless > 0
      ? cause('erp-products-incomplete', { nameless: true })
      : shortfall(sold, (await store.erp.missingFrom(account, listing)).missing)
    : cause('erp-products-incomplete', { nameless: false });
  await recordFullRead(
    context,
    { collection: 'all-erp-products', to: asOf, rows: size, cursor: null },
    doubt,
    'erp:listing',
  );
  await beginChanges(context, complete ? asOf : null, size);
  if (doubt !== null) return 0;
  await store.invalidRows.clear(account, 'erp-products', startedMs);
  return store.erp.closeListing(account, listing);
}

/** The first list counts as the first read of changes, so that its rows are not read twice. */
async function beginChanges({ account, store }: AccountRecords, asOf: string | null, rows: number): Promise<void> {
  if (asOf === null || (await store.cursors.get(account, 'erp-products')) !== null) return;
  const window = { account, collection: 'erp-products', from: null, to: asOf, rows };
  await store.cursors.record({ ...window, finding: null, cursor: asOf });
}

/**
 * Returns whether the list is not credible: it is empty, or lacks more than a tenth of the sold products. One product
 * may be missing, unless it is the only one. Unsold products do not matter.
 */
export function isShort(sold: number, missing: number): boolean {
  return missing > 0 && (missing >= sold || isTooIncomplete(sold, missing));
}

function shortfall(sold: number, missing: number): Cause | null {
  return isShort(sold, missing) ? cause('erp-products-short', { missing, sold }) : null;
}
