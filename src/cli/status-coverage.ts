import { type Hole, type Interval, merged } from '../domain/coverage.ts';
import { holesOf } from '../shadow/holes.ts';
import { intervalOf } from '../store/sqlite/cursors.ts';
import type { Store } from '../store/sqlite/store.ts';
import { type Cli, paint } from './output.ts';
import { ageText } from './status-text.ts';

/** What `status --coverage` tells of one collection. */
export interface CollectionCoverage {
  readonly account: string;
  readonly collection: string;
  /** As the server wrote them; null: from the beginning, and to nothing while there is none. */
  readonly covered: readonly Interval[];
  readonly holes: readonly Hole[];
  /** Since it was read last. */
  readonly ageMs: number;
  /** What was odd about the last read: `hole`, `tie-group`, `unsorted` ... */
  readonly finding: string | null;
}

/** Whole listings cover no time, and what is measured now has none. */
const IS_LISTING = /^(all-|archived-|measurements$)/;

/** Everything that is read by time, account by account. */
export async function gatherCoverage(
  accounts: readonly { readonly name: string }[],
  store: Store,
  nowMs: number,
): Promise<CollectionCoverage[]> {
  const found: CollectionCoverage[] = [];
  for (const { name: account } of accounts) {
    for (const collection of await store.cursors.collections(account)) {
      const windows = IS_LISTING.test(collection) ? [] : await store.cursors.windows(account, collection);
      const [last] = windows;
      if (last === undefined) continue;
      found.push({
        account,
        collection,
        covered: merged(windows.map(intervalOf)),
        holes: await holesOf({ account, store }, collection),
        ageMs: Math.max(0, nowMs - last.readAtMs),
        finding: last.finding,
      });
    }
  }
  return found;
}

export function coverageText(cli: Cli, coverage: readonly CollectionCoverage[]): string[] {
  return [...Map.groupBy(coverage, ({ account }) => account)].flatMap(([account, collections], index) => [
    ...(index === 0 ? [] : ['']),
    paint(cli, cli.stdout, 'bold', account),
    ...collections.flatMap((one) => collectionText(cli, one)),
  ]);
}

const WIDTH = 15;

function collectionText(cli: Cli, { collection, covered, holes, ageMs, finding }: CollectionCoverage): string[] {
  const last = `${ageText(ageMs)} ago`;
  const [first, end] = [covered[0], covered.at(-1)];
  const reach = end?.to == null ? 'nothing is there' : `from ${first?.from ?? 'the beginning'} to ${end.to}`;
  const odd = finding === null ? '' : ` (${finding})`;
  const mend = holes.length === 0 ? 'no hole' : paint(cli, cli.stdout, 'yellow', `${holes.length} to be read again`);
  return [
    `  ${collection.padEnd(WIDTH)}${reach}`,
    `  ${' '.repeat(WIDTH)}read ${last}${odd}; ${mend}`,
    ...holes.map(({ from, to }) => `  ${' '.repeat(WIDTH)}hole: ${from ?? 'the beginning'} to ${to}`),
  ];
}
