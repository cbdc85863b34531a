import { type Cause, cause } from '../domain/causes/cause.ts';
import type { Measurement } from '../domain/shadow/measurements.ts';
import { checked, readFigure } from '../marketplace/entities/amounts.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import { recordFullRead } from './alerts.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { fieldOf, isTooIncomplete, readRows } from './pages.ts';

const MEASUREMENTS = 'inventory.measurements-by-product-facility-batch';
type Row = Answer<typeof MEASUREMENTS>;

/** Keeps the URL well below the length that proxies accept. */
const LISTINGS_PER_CALL = 200;

/** One call for all listings. */
export async function readMeasurements(context: MarketplaceReading, look: Look): Promise<void> {
  const read = await readOf(context, look, null);
  if (read === null) return;
  const window = { collection: 'measurements', to: null, rows: read.count, cursor: null };
  await recordFullRead(context, window, read.doubt, 'measurements:list');
}

/** Reads one listing's stock by facility, with other listings that are due soon: one call confirms many commands. */
export async function readWantedMeasurements(
  context: MarketplaceReading,
  listingId: number,
  look: Look,
): Promise<void> {
  const { account, store } = context;
  const wanted = new Set([listingId, ...(await store.measurements.wanted(account, LISTINGS_PER_CALL))]);
  await readOf(context, look, [...wanted].slice(0, LISTINGS_PER_CALL));
}

/**
 * @param asked the listings; null: all
 * @returns the number of rows, and why missing rows do not count; null: facilities are not used
 */
async function readOf(
  context: MarketplaceReading,
  look: Look,
  asked: readonly number[] | null,
): Promise<{ readonly count: number; readonly doubt: Cause | null } | null> {
  const { account, client, config, store, now } = context;
  if (config.facilities === null) return null;
  const [tick, askedAtMs] = [await store.cursors.tick(account), now()];
  const query = {
    company_id: config.facilities.companyId,
    ...(asked === null ? {} : { product_id: asked.join(',') }),
  };
  const page = await client.list(MEASUREMENTS, { query }, look);
  const { rows, invalidRows, nameless } = readPage(page);
  const found = new Set([...rows.map((row) => row.listingId), ...invalidRows.keys()]).size;
  const doubt = nameless
    ? cause('measurements-nameless')
    : asked === null
      ? shortfall(await store.measurements.count(account), found)
      : null;
  await store.invalidRows.record(account, 'measurements', [...invalidRows.values()]);
  const batch = { account, rows, asked, unread: new Set(invalidRows.keys()), tick, askedAtMs, lane: look.lane };
  await store.measurements.record({ ...batch, absenceCounts: doubt === null });
  if (asked === null && doubt === null) await store.invalidRows.clear(account, 'measurements', askedAtMs);
  return { count: page.raw.length, doubt };
}

function readPage(page: ListPage<Row>) {
  const read = readRows({ rows: page.rows, invalidRows: [] }, 'product_id', toMeasurement);
  // A listing with an invalid row: all its rows are rejected.
  const invalidRows = new Map(read.invalidRows.map((invalidRow) => [Number(invalidRow.what), invalidRow]));
  // A row does not name its listing.
  let nameless = false;
  for (const { raw, path, message } of page.invalidRows) {
    const id = Number(fieldOf(raw, 'product_id') ?? '');
    if (Number.isSafeInteger(id) && id > 0) invalidRows.set(id, { what: String(id), path, message });
    else nameless = true;
  }
  return { rows: read.rows, invalidRows, nameless };
}

function toMeasurement(row: Row): Measurement {
  return {
    listingId: row.product_id,
    facilityId: row.facility_id,
    batchId: row.batch_id,
    onHand: checked(readFigure(row.on_hand_quantity)),
    reserved: checked(readFigure(row.reserved_quantity)),
    available: checked(readFigure(row.available_quantity)),
  };
}

function shortfall(known: number, found: number): Cause | null {
  return isTooIncomplete(known, known - found) ? cause('measurements-short', { known, found }) : null;
}
