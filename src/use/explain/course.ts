import { withoutBrake } from '../../domain/action.ts';
import { DAY_MS } from '../../domain/day.ts';
import { Decimal } from '../../domain/decimal.ts';
import { type CourseStep, courseFrom, courseOf } from '../../domain/stock-course.ts';
import { unitsOfListed } from '../../domain/units.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { recordedPast } from '../stock-past.ts';

/** Days before the moment. */
const DAYS = 30;
const MOST = 500;

/** A product's stock on both sides over the last days; null: not recorded. */
export async function stockCourse(
  context: AccountRecords,
  productId: string,
  untilMs: number,
  isPast: boolean,
): Promise<readonly CourseStep[] | null> {
  const { account, config, store } = context;
  if (config.facilities !== null) return null;
  const fromMs = untilMs - DAYS * DAY_MS;
  const rows = await store.journal.of(account, 'stock', productId, MOST, untilMs);
  const written = rows.flatMap(({ action, outcome, atMs, after }) =>
    withoutBrake(action) === 'stock.write' && outcome === 'written' && after !== null ? [{ atMs, after }] : [],
  );
  // The first figure is that of the last write before.
  const sinceMs = written.find(({ atMs }) => atMs < fromMs)?.atMs ?? fromMs;
  const past = (await recordedPast(context, productId, sinceMs))?.past ?? null;
  const mapping = await store.mappings.byErpId(account, 'product', productId);
  const listing = mapping === null ? null : await store.products.get(account, Number(mapping.marketplaceId));
  if (past === null || listing === null) return null;
  const { write: field } = config.inventory;
  const { quantity, available } = listing.figures;
  const figure = field === 'quantity' ? quantity : available;
  const steps = courseOf({
    past: { ...past, events: past.events.filter(({ atMs }) => atMs <= untilMs) },
    writes: written
      .filter(({ atMs }) => atMs >= sinceMs)
      .map(({ atMs, after }) => ({ atMs, value: new Decimal(after).times(past.unitsIn) }))
      .toReversed(),
    field,
    shown: isPast || figure === null ? null : { atMs: untilMs, figure: unitsOfListed(figure, past.unitsIn) },
  });
  return courseFrom(steps, fromMs).slice(-MOST);
}
