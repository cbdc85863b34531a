import { type Cause, cause, sentenceOf } from '../domain/causes/cause.ts';
import { checked, readDecimal } from '../marketplace/entities/amounts.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { Measurement } from '../store/marketplace.ts';
import { setAlert } from './alerts.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { fieldOf } from './pages.ts';

const MEASUREMENTS = 'inventory.measurements-by-product-facility-batch';
type Row = Answer<typeof MEASUREMENTS>;

/** So many ids keep the address well below the length that proxies accept. */
const LISTINGS_PER_CALL = 200;

/** Reads the marketplace's stock by facility and batch for all listings, in one call. */
export async function readMeasurements(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, client, config, store, now } = context;
  if (config.facilities === null) return;
  const [tick, askedAtMs] = [await store.cursors.tick(account), now()];
  const page = await client.list(MEASUREMENTS, { query: { company_id: config.facilities.companyId } }, look);
  const known = await store.measurements.count(account);
  const read = readRows(page);
  const doubt = doubtOf(read, known);
  const unread = new Set(read.misfits.keys());
  await store.misfits.record(account, 'measurements', foundMisfits(read));
  const batch = { account, rows: read.rows, unread, tick, askedAtMs, lane: look.lane };
  await store.measurements.record({ ...batch, asked: null, absenceCounts: doubt === null });
  await setAlert(context, 'facility-stock:measurements', doubt === null ? [] : [doubt]);
  const window = { account, collection: 'measurements', from: null, to: null, cursor: null };
  await store.cursors.record({ ...window, rows: page.raw.length, finding: doubt === null ? null : sentenceOf(doubt) });
}

/**
 * Reads the stock by facility of one listing, and in the same call of others that are due soon: one call confirms many
 * commands.
 */
export async function readWantedMeasurements(
  context: MarketplaceReading,
  listingId: number,
  look: Look,
): Promise<void> {
  const { account, client, config, store, now } = context;
  if (config.facilities === null) return;
  const wanted = new Set([listingId, ...(await store.measurements.wanted(account, LISTINGS_PER_CALL))]);
  const asked = [...wanted].slice(0, LISTINGS_PER_CALL);
  const [tick, askedAtMs] = [await store.cursors.tick(account), now()];
  const query = { company_id: config.facilities.companyId, product_id: asked.join(',') };
  const read = readRows(await client.list(MEASUREMENTS, { query }, look));
  await store.misfits.record(account, 'measurements', foundMisfits(read));
  await store.measurements.record({
    account,
    rows: read.rows,
    asked,
    unread: new Set(read.misfits.keys()),
    absenceCounts: !read.nameless,
    tick,
    askedAtMs,
    lane: look.lane,
  });
}

interface Read {
  readonly rows: readonly Measurement[];
  /** Listings with a row that does not fit: none of their rows is believed. */
  readonly misfits: ReadonlyMap<number, { readonly path: string; readonly message: string }>;
  /** A row does not even name its listing. */
  readonly nameless: boolean;
}

function readRows(page: ListPage<Row>): Read {
  const misfits = new Map<number, { path: string; message: string }>();
  let nameless = false;
  for (const { raw, path, message } of page.misfits) {
    const id = Number(fieldOf(raw, 'product_id') ?? '');
    if (Number.isSafeInteger(id) && id > 0) misfits.set(id, { path, message });
    else nameless = true;
  }
  return { rows: page.rows.map(toMeasurement), misfits, nameless };
}

function toMeasurement(row: Row): Measurement {
  return {
    listingId: row.product_id,
    facilityId: row.facility_id,
    batchId: row.batch_id,
    onHand: checked(readDecimal(row.on_hand_quantity)),
    reserved: checked(readDecimal(row.reserved_quantity)),
    available: checked(readDecimal(row.available_quantity)),
  };
}

function foundMisfits({ misfits }: Read) {
  return [...misfits].map(([id, issue]) => ({ what: String(id), ...issue }));
}

/** One listing may always lose its rows, and a tenth of many. */
function doubtOf({ rows, misfits, nameless }: Read, known: number): Cause | null {
  if (nameless) return cause('measurements-nameless');
  const found = new Set([...rows.map((row) => row.listingId), ...misfits.keys()]).size;
  const lost = known - found;
  if (lost <= Math.max(1, known / 10)) return null;
  return cause('measurements-short', { known, found });
}
