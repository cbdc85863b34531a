import { wholeIssue } from '../../http/issues.ts';
import { Unfit } from '../../http/rows.ts';
import type { InvalidRow } from '../connector.ts';
import type { Placed } from './grouped.ts';
import { type OrderReport, orderReportRow, withReport } from './order-state.ts';
import { readOrder, saveOrder } from './stored-orders.ts';
import { moveClock, type View } from './view.ts';

/** Stores the acknowledgements of our orders. Unreadable rows become invalid rows of the order list. */
export function storeOrderReports(view: View, file: string, rows: readonly Placed[], toldFrom: string): void {
  const seen = moveClock(view, 'orders', 0);
  const clear = view.db.prepare(`DELETE FROM rows WHERE list = 'orders' AND key = ?`);
  const note = view.db.prepare(`INSERT OR REPLACE INTO rows VALUES ('orders', ?, NULL, '{}', ?, ?, ?)`);
  // An invalid row without a reference is kept until the next file.
  view.db.prepare(`DELETE FROM rows WHERE list = 'orders' AND key GLOB 'told line *'`).run();
  for (const { line, row } of rows) {
    const told = reportOf(row);
    const reference = 'problem' in told ? referenceIn(row) : told.reference;
    const order = reference === null ? null : readOrder(view, reference);
    const key = `told ${reference ?? `line ${line}`}`;
    if ('problem' in told) {
      const { path, message } = told.problem;
      const what = reference ?? `${file} line ${line}`;
      const invalidRow: InvalidRow = {
        what,
        id: order?.id ?? null,
        sku: null,
        path,
        message: `${message} (line ${line} of ${file})`,
      };
      note.run(key, JSON.stringify(invalidRow), toldFrom, seen);
    } else {
      clear.run(key);
      if (order !== null) saveOrder(view, { ...order, ...withReport(order.written, order.told, told), seen });
    }
  }
}

type Issue = { readonly problem: { readonly path: string; readonly message: string } };

function reportOf(row: Placed['row']): OrderReport | Issue {
  if (row instanceof Unfit) return { problem: { path: row.problem.split(':')[0] ?? '', message: row.problem } };
  // Rows are grouped by order, so `lines` may be empty.
  const lines = [row['lines'] ?? []].flat();
  const parsed = orderReportRow.safeParse({ ...row, lines: lines.length === 0 ? undefined : lines });
  return parsed.success ? parsed.data : { problem: wholeIssue(parsed.error) };
}

export function referenceIn(row: Placed['row']): string | null {
  const { reference } = (row instanceof Unfit ? (row.row ?? {}) : row) as { readonly reference?: unknown };
  return typeof reference === 'string' || typeof reference === 'number' ? String(reference) : null;
}
