import { type Hole, holesIn } from '../domain/coverage.ts';
import { isBefore } from '../domain/instant.ts';
import { isReadFromBeginning } from '../domain/lists.ts';
import { intervalOf } from '../store/reading.ts';
import type { AccountRecords, Recording } from './context.ts';
import { noteInJournal } from './note.ts';

export const HOLE = 'hole';
/** The most pages of a hole per pass, so that new orders do not wait long. */
const MAX_PAGES = 4;

/** Periods that no completed read has covered, earliest first. */
export async function holesOf(
  { account, store }: Pick<AccountRecords, 'account' | 'store'>,
  collection: string,
): Promise<Hole[]> {
  const windows = await store.cursors.windows(account, collection);
  return holesIn(windows.map(intervalOf), isReadFromBeginning(collection));
}

interface Step {
  readonly covered: { readonly to: string | null };
  readonly page: { readonly raw: readonly unknown[] };
}

/**
 * Reads a few pages of a collection's earliest hole, for example after a cursor was edited. The next pass continues.
 * @param read from this instant on
 * @param record stores a step and the period it covers
 */
export async function readHole<S extends Step>(
  context: Recording,
  collection: string,
  read: (start: string | null) => AsyncIterable<S>,
  record: (step: S) => Promise<void>,
): Promise<void> {
  const [hole] = await holesOf(context, collection);
  if (hole === undefined) return;
  let [pages, rows] = [0, 0];
  let reached: string | null = hole.from;
  for await (const step of read(hole.from)) {
    await record(step);
    pages += 1;
    rows += step.page.raw.length;
    reached = step.covered.to;
    if (reached === null || reached === hole.from) continue;
    // A page whose rows all have the same time makes no progress. Reading goes on, because another pass would begin at
    // the same place.
    if (pages >= MAX_PAGES || !isBefore(reached, hole.to)) break;
  }
  // The newest row ends the read. The rest of the hole stays open until a later row exists.
  if (reached !== hole.from) await noteHole(context, collection, hole, `${rows} rows, up to ${reached}`);
}

export async function noteHole(
  context: Recording,
  collection: string,
  { from, to }: Hole,
  after: string,
): Promise<void> {
  const target = `${collection} from ${from ?? 'the beginning'} to ${to}`;
  const why = 'no completed read had covered it: the cursor was moved, or a read was lost';
  const { account } = context;
  const found = { account, flow: 'read', key: collection, action: 'read.hole', target, before: null, after, why };
  await noteInJournal(context, found);
}
