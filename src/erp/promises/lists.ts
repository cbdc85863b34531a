import { counted } from '../../domain/counted.ts';
import { DAY_MS } from '../../domain/day.ts';
import { isBefore, minusMs } from '../../domain/instant.ts';
import type { ErpPage, InvalidRow } from '../connector.ts';
import type { Bench, Facts } from './bench.ts';
import { assertPromise, assertSame, NotTestable } from './broken.ts';
import type { Check } from './check.ts';

/** A list, for the checks of every list. */
interface Listed {
  readonly name: keyof Bench['whole'];
  readonly list: (bench: Bench, since: string | null) => AsyncIterable<ErpPage<Row>>;
  readonly untested?: (bench: Bench) => string | null;
  readonly part?: 'customers' | 'payments';
}

interface Row {
  readonly id?: string;
  readonly changedAt?: string | null;
  readonly deleted?: boolean;
  readonly sku?: string;
  readonly location?: string;
  readonly batch?: string;
}

const LISTS: readonly Listed[] = [
  { name: 'products', list: ({ erp }, since) => erp.listProducts(since) },
  { name: 'stock', list: ({ erp }, since) => erp.listStock(since) },
  { name: 'orders', list: ({ erp }, since) => erp.listOrders(since) },
  {
    name: 'customers',
    part: 'customers',
    list: ({ erp }, since) => erp.listCustomers?.(since) ?? none(),
    untested: ({ can, erp }) =>
      can.customers === 'none' || erp.listCustomers === undefined ? 'the connection lists no customers' : null,
  },
  {
    name: 'payments',
    part: 'payments',
    list: ({ erp }, since) => erp.listPayments(since),
    untested: ({ can }) => (can.payments === 'none' ? 'the connection lists no payments' : null),
  },
];

export const LIST_CHECKS: readonly Check[] = LISTS.flatMap((about) => [wholeCheck(about), sinceCheck(about)]);

const LONG_AGO = '1990-01-01T00:00:00.000Z';

function wholeCheck({ name, list, untested, part }: Listed): Check {
  return {
    name: `${name}-whole`,
    promise: `the list of all ${name} has each row once, and is complete`,
    effect: 'reads',
    ...(untested && { untested }),
    ...(part && { part }),
    async run(bench) {
      const pages: readonly ErpPage<Row>[] = await bench.whole[name]();
      const keys = keysOf(pages);
      const twice = keys.find((key, at) => keys.indexOf(key, at + 1) >= 0 && at < MOST_COMPARED);
      assertPromise(twice === undefined, () => ({
        expected: 'each row once',
        came: `${twice} twice`,
        mend: `correct the paging of ${name}, or the id of its rows`,
      }));
      const said = pages.map(({ complete }) => complete).indexOf(true);
      assertPromise(said === pages.length - 1, () => ({
        expected: '"complete" on the last page, and only there',
        came: said < 0 ? 'a list that never says so' : `it on page ${said + 1} of ${pages.length}`,
        mend: `let the list of ${name} say that it is complete once everything was seen: otherwise nothing counts as gone`,
      }));
      const known = new Set(keys);
      const since = await Array.fromAsync(list(bench, LONG_AGO));
      const missing = keysOf(since, (row) => row.deleted !== true).filter((key) => !known.has(key));
      // A row created between the two reads is no fault.
      const later = new Set(missing.length > 0 ? keysOf(await Array.fromAsync(list(bench, null))) : []);
      const lost = missing.filter((key) => !later.has(key));
      assertPromise(lost.length === 0, () => ({
        expected: `in the list of all ${name}, every row that the list of changes since ${LONG_AGO} has`,
        came: `a complete list without ${counted(lost.length, 'row')} of them, such as ${lost[0]}`,
        mend: 'correct where the paging ends: what a complete list lacks is taken for gone',
      }));
      const invalidRows = pages.flatMap((page) => page.invalidRows);
      if (name === 'products') asKnown(bench.facts, keys.length, invalidRows);
      return `${counted(keys.length, 'row')} in ${counted(pages.length, 'page')}${invalidRowText(invalidRows, keys.length, name)}`;
    },
  };
}

function asKnown({ productCount, invalidRowIds }: Facts, rows: number, invalidRows: readonly InvalidRow[]): void {
  if (productCount !== undefined) assertSame(rows, productCount, 'correct the paging of products');
  const ids = invalidRows.map(({ id, what }) => id ?? what).sort();
  if (invalidRowIds !== undefined)
    assertSame(ids, invalidRowIds.toSorted(), 'set aside the rows that do not fit, by their ids');
  const bare = invalidRows.find(({ path, message }) => path === '' || message === '');
  assertPromise(bare === undefined, () => ({
    expected: 'the place and the reason of each row that does not fit',
    came: `${bare?.what} without them`,
    mend: 'the connector has to tell where a row does not fit, and why',
  }));
}

/** Comparing more rows would take too long. */
const MOST_COMPARED = 20_000;

/** A few invalid rows are only counted. If most are invalid, the description is wrong. */
function invalidRowText(invalidRows: readonly InvalidRow[], all: number, name: string): string {
  const [first] = invalidRows;
  if (first === undefined) return '';
  const why = `${first.what}: ${first.path}: ${first.message}`;
  assertPromise(invalidRows.length * 2 <= all, () => ({
    expected: 'rows that fit the contract',
    came: `${invalidRows.length} of ${all} that do not; ${why}`,
    mend: `correct how ${name} are mapped: "stockbridge erp try ${name}" shows them`,
  }));
  return `; ${counted(invalidRows.length, 'row')} left out that ${invalidRows.length === 1 ? 'does' : 'do'} not fit, ${why}`;
}

function sinceCheck({ name, list, untested, part }: Listed): Check {
  return {
    name: `${name}-since`,
    promise: `what changed in ${name} since a time is what changed since then, and no more`,
    effect: 'reads',
    ...(part && { part }),
    untested: (bench) =>
      untested?.(bench) ??
      (bench.erp.notices?.[name] === 'whole'
        ? `the list of ${name} has no filter of changes: it is read whole at each poll, and each row is compared`
        : null),
    async run(bench) {
      const known: readonly ErpPage<Row>[] = await bench.whole[name]();
      const asOf = known[0]?.asOf ?? '';
      const pages = await Array.fromAsync(list(bench, asOf));
      assertPromise(pages.at(-1)?.complete === true, () => ({
        expected: '"complete" at the end of a list of changes',
        came: 'a list that never says so',
        mend: `let the list of changes of ${name} say that it is complete: otherwise its changes are read again for ever`,
      }));
      const rows = pages.flatMap(({ items }) => items);
      const all = known.flatMap(({ items }) => items);
      const reach = Math.max(DAY_MS, bench.can.longestTransactionMs);
      const old = (row: Row) => row.changedAt != null && isBefore(row.changedAt, minusMs(asOf, reach));
      const asked = `asked for changes since ${asOf}`;
      const early = rows.find(old);
      assertPromise(early === undefined, () => ({
        expected: `${asked}, only what changed since`,
        came: `${early?.id}, which changed at ${early?.changedAt}`,
        mend: `let the list of ${name} apply the filter by time: otherwise every poll reads everything`,
      }));
      await showsNewest(bench, { name, list }, all);
      const timeless = name === 'stock';
      if (!timeless && !all.some(old)) throw new NotTestable(`nothing in the list of ${name} is older than a day`);
      const ignored = timeless && all.length > FEW && rows.length >= all.length;
      assertPromise(!ignored, () => ({
        expected: `${asked}, only what changed since`,
        came: `all ${rows.length} rows`,
        mend: `let the list of ${name} apply the filter by time: otherwise every poll reads everything`,
      }));
      return counted(rows.length, 'row');
    },
  };
}

/**
 * A list of changes since just before its latest change must show that row; a filter that misreads the time does not.
 */
async function showsNewest(
  bench: Bench,
  { name, list }: Pick<Listed, 'name' | 'list'>,
  all: readonly Row[],
): Promise<void> {
  if ((bench.erp.notices?.[name] ?? 'stamp') !== 'stamp') return;
  const dated = all.flatMap(({ id, changedAt }) => (id === undefined || changedAt == null ? [] : [{ id, changedAt }]));
  const [first] = dated;
  if (first === undefined) return;
  const newest = dated.reduce((latest, row) => (isBefore(latest.changedAt, row.changedAt) ? row : latest), first);
  const since = minusMs(newest.changedAt, bench.can.longestTransactionMs);
  const isIn = async (from: string | null) => keysOf(await Array.fromAsync(list(bench, from))).includes(newest.id);
  // The row may be gone by now.
  assertPromise((await isIn(since)) || !(await isIn(null)), () => ({
    expected: `asked for changes since ${since}, ${newest.id}, which changed at ${newest.changedAt}`,
    came: 'a list without it',
    mend: `let the filter of ${name} take its time as it is meant, in the zone that it names, and compare it with the time that the rows say`,
  }));
}

/** Rows that may have changed at once. */
const FEW = 20;

/** The ids of all rows, invalid ones included. */
function keysOf(pages: readonly ErpPage<Row>[], counts: (row: Row) => boolean = () => true): string[] {
  return pages.flatMap(({ items, invalidRows }) => [
    ...items.filter(counts).map((row) => row.id ?? placeOf(row)),
    ...invalidRows.map((invalidRow) => invalidRow.id ?? invalidRow.what),
  ]);
}

export function placeOf({ sku, location, batch }: Pick<Row, 'sku' | 'location' | 'batch'>): string {
  return [sku, location, batch].filter((part) => part !== undefined).join(', ');
}

export async function* none(): AsyncGenerator<never> {}
