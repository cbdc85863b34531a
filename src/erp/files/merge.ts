import { wholeIssue } from '../../http/issues.ts';
import { Unfit } from '../../http/rows.ts';
import type { InvalidRow } from '../connector.ts';
import { customerRow } from '../rows/customers.ts';
import { lotRow, orderRow, paymentRow, productRow, stockRow } from '../rows/rows.ts';
import { usOf } from './clock.ts';
import { fault } from './fault.ts';
import type { Placed } from './grouped.ts';
import type { FileContent } from './read-file.ts';
import type { ListName, Source } from './settings.ts';
import { lastSnapshot, latestFile, moveClock, recordSnapshot, type View } from './view.ts';

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

/**
 * A snapshot replaces the list, a delta is merged. A row that occurs twice with different values becomes an invalid
 * row.
 */
export function mergeStaged(view: View, source: Source, { time }: FileContent): void {
  const { db } = view;
  const { list, kind } = source;
  const whole = latestFile(view, list, 'snapshots');
  // A newer snapshot was imported before this older delta.
  if (kind === 'delta' && whole !== null && time.from < whole.toldFrom) return;
  markTwice(view);
  const seen = moveClock(view, list, usOf(time.from));
  if (kind === 'snapshot')
    db.prepare('DELETE FROM rows WHERE list = ? AND key NOT IN (SELECT key FROM staged)').run(list);
  // An unchanged row keeps its `seen`. A row older than the stored one is ignored.
  db.prepare(
    `INSERT INTO rows (list, key, sku, content, invalidRow, told_from, seen)
     SELECT :list, key, sku, content, invalidRow, :from, :seen FROM staged WHERE true GROUP BY key
     ON CONFLICT (list, key) DO UPDATE SET
       sku = excluded.sku, invalidRow = excluded.invalidRow, told_from = excluded.told_from,
       content = CASE WHEN ${SAME} THEN rows.content ELSE excluded.content END,
       seen = CASE WHEN ${SAME} THEN rows.seen ELSE excluded.seen END
     WHERE excluded.told_from >= rows.told_from`,
  ).run({ list, from: time.from, seen });
  if (kind === 'snapshot') recordSnapshot(view, list, countOf(view, 'SELECT count(DISTINCT key) FROM staged'));
}

/** Equal except for `changed_at`. A stock row with another `as_of` differs, since a figure belongs to its time. */
const SAME = `excluded.invalidRow IS rows.invalidRow AND
  json_remove(excluded.content, '$.changed_at') = json_remove(rows.content, '$.changed_at')`;

function markTwice({ db }: View): void {
  const keys = db
    .prepare('SELECT key FROM staged GROUP BY key HAVING count(*) > 1 AND count(DISTINCT content) > 1')
    .pluck()
    .all() as string[];
  const first = db.prepare('SELECT sku, content FROM staged WHERE key = ?');
  const mark = db.prepare('UPDATE staged SET invalidRow = ? WHERE key = ?');
  for (const key of keys) {
    const { sku, content } = first.get(key) as { sku: string | null; content: string };
    const { id, product_id: productId } = JSON.parse(content) as { id?: string; product_id?: string };
    const name = productId ?? id ?? null;
    const message = 'it stands in the file more than once, with different values';
    mark.run(
      JSON.stringify({ what: name ?? sku ?? key, id: name, sku, path: 'sku', message } satisfies InvalidRow),
      key,
    );
  }
}
