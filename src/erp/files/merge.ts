import { wholeIssue } from '../../http/issues.ts';
import { Unfit } from '../../http/rows.ts';
import { createTurns } from '../../http/turns.ts';
import type { InvalidRow } from '../connector.ts';
import { customerRow } from '../rows/customers.ts';
import { lotRow, orderRow, paymentRow, productRow, stockRow } from '../rows/rows.ts';
import { usOf } from './clock.ts';
import { fault } from './fault.ts';
import type { Placed } from './grouped.ts';
import type { FileContent } from './read-file.ts';
import type { ListName, Source } from './settings.ts';
import { clockOf, lastSnapshot, latestFile, moveClock, recordSnapshot, type View } from './view.ts';

/** Acknowledgements are stored with the program's orders instead. */
export type KeptList = Exclude<ListName, 'acknowledgements'>;

const SHAPES = {
  products: productRow,
  stock: stockRow,
  orders: orderRow,
  customers: customerRow,
  payments: paymentRow,
  lots: lotRow,
} as const;

/** Collects the rows of a file outside the lists that readers see. */
export function stage(view: View, list: KeptList, name: string) {
  view.db.exec('DELETE FROM staged');
  const insert = view.db.prepare('INSERT INTO staged (key, sku, content, invalidRow) VALUES (?, ?, ?, ?)');
  const put = view.db.transaction((rows: readonly Placed[]) => {
    for (const placed of rows) {
      const { key, sku, content, invalidRow } = stagedRow(list, name, placed);
      insert.run(key, sku, content, invalidRow === null ? null : JSON.stringify(invalidRow));
    }
  });
  return (rows: readonly Placed[]): void => put(rows);
}

function stagedRow(list: KeptList, file: string, { line, row }: Placed) {
  const parsed = row instanceof Unfit ? null : SHAPES[list].safeParse(row);
  const fields = (row instanceof Unfit ? row.row : row) as Readonly<Record<string, unknown>>;
  const idField = list === 'stock' ? 'product_id' : 'id';
  const name = (field: string): string | null => {
    const value = fields[field];
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null;
  };
  const id = name(idField);
  const issue =
    row instanceof Unfit
      ? { path: row.problem.split(':')[0] ?? '', message: row.problem }
      : parsed?.success === false
        ? wholeIssue(parsed.error)
        : null;
  const [location, batch] = [name('location'), name('batch')];
  const key = id === null ? `line ${line}` : list === 'stock' ? JSON.stringify([id, location ?? '', batch ?? '']) : id;
  const invalidRow: InvalidRow | null =
    issue === null
      ? null
      : {
          what: id ?? name('sku') ?? `${file} line ${line}`,
          id,
          sku: name('sku'),
          ...(location !== null && { location }),
          ...(batch !== null && { batch }),
          path: issue.path === '' ? `line ${line}` : issue.path,
          message: `${issue.message} (line ${line} of ${file})`,
        };
  return { key, sku: name('sku'), content: JSON.stringify({ ...fields, line: undefined }), invalidRow };
}

/** A file is refused if more of its rows are missing or duplicate. */
const PART = 0.1;

/**
 * @param accepted a person confirmed the smaller file
 * @throws FileFault
 */
export function checkStaged(view: View, source: Source, content: FileContent, accepted: boolean): void {
  if (content.rows === 0 && source.kind === 'snapshot') throw fault('erp-file-empty', {});
  const twice = countOf(
    view,
    'SELECT count(*) FROM staged WHERE key IN (SELECT key FROM staged GROUP BY key HAVING count(*) > 1)',
  );
  const staged = countOf(view, 'SELECT count(*) FROM staged');
  if (twice > Math.max(2, staged * PART)) throw fault('erp-file-doubled', { rows: twice });
  const invalidRows = countOf(view, 'SELECT count(*) FROM staged WHERE invalidRow IS NOT NULL');
  if (invalidRows > Math.max(1, staged / 2) || (invalidRows > 0 && invalidRows === staged)) {
    const first = view.db.prepare('SELECT invalidRow FROM staged WHERE invalidRow IS NOT NULL').pluck().get() as string;
    const { path, message } = JSON.parse(first) as InvalidRow;
    throw fault('erp-file-invalid-rows', { invalidRows, rows: staged, first: `${path}: ${message}` });
  }
  const before = source.kind === 'snapshot' ? lastSnapshot(view, source.list) : null;
  if (before !== null && !accepted && before.rows - staged > Math.max(1, before.rows * PART)) {
    throw fault('erp-file-short', { rows: staged, before: before.rows });
  }
}

function countOf({ db }: View, query: string): number {
  return db.prepare(query).pluck().get() as number;
}

/** The rows of one step. More would keep other work of the program waiting. */
const STEP_ROWS = 5_000;

/**
 * A snapshot replaces the list, a delta is merged. A row that occurs twice with different values becomes an invalid
 * row. Other work runs between the steps. Readers of this program wait for the end. After a failure the list has some
 * of the rows already, and the next import of the file merges them again.
 * @returns the last step, for the transaction that records the file
 */
export async function mergeStaged(
  view: View,
  source: Source,
  { time }: FileContent,
  signal?: AbortSignal,
): Promise<() => void> {
  const { list, kind } = source;
  const seen = clockOf(view, list) + 1;
  const turn = createTurns();
  /** Merges the rows step by step. False: a newer snapshot was imported before the end. */
  const eachStep = async (steps: Iterable<Step>, make: (step: Step) => void): Promise<boolean> => {
    for (const step of steps) {
      const isNewest = view.transaction(() => {
        const whole = latestFile(view, list, 'snapshots');
        if (whole !== null && time.from < whole.toldFrom) return false;
        make(step);
        return true;
      });
      if (!isNewest) return false;
      await turn();
      signal?.throwIfAborted();
    }
    return true;
  };
  let rows = 0;
  const put = putter(view, { list, from: time.from, seen });
  const isPut = await eachStep(stepsOf(view, 'SELECT DISTINCT key FROM staged WHERE key > ?', []), (step) => {
    rows += step.rows;
    put(step);
  });
  if (!isPut) return () => {};
  if (kind === 'snapshot') {
    const drop = view.db.prepare(
      'DELETE FROM rows WHERE list = ? AND key > ? AND key <= ? AND NOT EXISTS (SELECT 1 FROM staged WHERE staged.key = rows.key)',
    );
    const stored = stepsOf(view, 'SELECT key FROM rows WHERE list = ? AND key > ?', [list]);
    if (!(await eachStep(stored, ({ after, until }) => void drop.run(list, after, until)))) return () => {};
  }
  return () => {
    const next = moveClock(view, list, usOf(time.from));
    // The clock moved meanwhile. A reader who has read up to it has not seen these rows.
    if (next !== seen) view.db.prepare('UPDATE rows SET seen = ? WHERE list = ? AND seen = ?').run(next, list, seen);
    if (kind === 'snapshot') recordSnapshot(view, list, rows);
  };
}

/** Keys after one and up to another. */
interface Step {
  readonly after: string;
  readonly until: string;
  readonly rows: number;
}

/** @param keys a query whose last parameter is the key before the step */
function* stepsOf({ db }: View, keys: string, given: readonly string[]): Generator<Step> {
  const next = db.prepare(`SELECT max(key) AS until, count(*) AS rows FROM (${keys} ORDER BY key LIMIT ${STEP_ROWS})`);
  for (let after = ''; ; ) {
    const { until, rows } = next.get(...given, after) as { until: string | null; rows: number };
    if (until === null) return;
    yield { after, until, rows };
    after = until;
  }
}

function putter(view: View, to: { readonly list: ListName; readonly from: string; readonly seen: number }) {
  const mark = marker(view);
  // An unchanged row keeps its `seen`. A row older than the stored one is ignored.
  const insert = view.db.prepare(
    `INSERT INTO rows (list, key, sku, content, invalidRow, told_from, seen)
     SELECT :list, key, sku, content, invalidRow, :from, :seen FROM staged
     WHERE key > :after AND key <= :until GROUP BY key
     ON CONFLICT (list, key) DO UPDATE SET
       sku = excluded.sku, invalidRow = excluded.invalidRow, told_from = excluded.told_from,
       content = CASE WHEN ${SAME} THEN rows.content ELSE excluded.content END,
       seen = CASE WHEN ${SAME} THEN rows.seen ELSE excluded.seen END
     WHERE excluded.told_from >= rows.told_from`,
  );
  return ({ after, until }: Step): void => {
    mark(after, until);
    insert.run({ ...to, after, until });
  };
}

/** Equal except for `changed_at`. A stock row with another `as_of` differs, since a figure belongs to its time. */
const SAME = `excluded.invalidRow IS rows.invalidRow AND
  json_remove(excluded.content, '$.changed_at') = json_remove(rows.content, '$.changed_at')`;

/** Marks the rows that occur twice with different values. */
function marker({ db }: View) {
  const twice = db
    .prepare(
      'SELECT key FROM staged WHERE key > ? AND key <= ? GROUP BY key HAVING count(*) > 1 AND count(DISTINCT content) > 1',
    )
    .pluck();
  const first = db.prepare('SELECT sku, content FROM staged WHERE key = ?');
  const mark = db.prepare('UPDATE staged SET invalidRow = ? WHERE key = ?');
  return (after: string, until: string): void => {
    for (const key of twice.all(after, until) as string[]) {
      const { sku, content } = first.get(key) as { sku: string | null; content: string };
      const { id, product_id: productId } = JSON.parse(content) as { id?: string; product_id?: string };
      const name = productId ?? id ?? null;
      const message = 'it stands in the file more than once, with different values';
      mark.run(
        JSON.stringify({ what: name ?? sku ?? key, id: name, sku, path: 'sku', message } satisfies InvalidRow),
        key,
      );
    }
  };
}
