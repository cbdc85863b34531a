import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/** The tables of the shadow of the two sides. */
const TABLES = [
  'orders',
  'order_lines',
  'products',
  'customers',
  'payments',
  'names',
  'assignments',
  'measurements',
  'batches',
  'transport_orders',
  'erp_products',
  'erp_stock',
  'erp_lots',
  'erp_orders',
  'erp_payments',
  'erp_customers',
];

/**
 * The columns about the time and the order of reads. A row whose time of change lies in the future has the time of its read
 * instead.
 */
const OF_THE_READ =
  /(^|_)(tick|ms)$|^(certain|unexplained|unseen|listing|absences|as_of|counted_since|late|lines_status|hash|modified|changed_at)$/;
const CHANGED_IN_JSON = /\\"(changedAt|changed_at|modified|modified_date)\\":(\\"[^"]*\\"|null),?/g;

/** Rows that only one of the shadows has, or that differ between them. */
export function differences(dir: string, other: string): string[] {
  const [rows, others] = [dir, other].map((one) => {
    const sqlite = new SqliteDatabase(join(one, 'stockbridge.db'), { readonly: true });
    const found = TABLES.flatMap((table) =>
      sqlite
        .prepare(`select * from ${table}`)
        .all()
        .map((row) => Object.entries(row as object).filter(([name]) => !OF_THE_READ.test(name)))
        .map((told) => `${table} ${JSON.stringify(told)}`.replaceAll(CHANGED_IN_JSON, '')),
    );
    sqlite.close();
    return new Set(found);
  });
  const beside = (some: Set<string> | undefined, of: Set<string> | undefined, what: string) =>
    [...(some ?? [])].filter((row) => !of?.has(row)).map((row) => `${what}: ${row.slice(0, 1_500)}`);
  return [...beside(rows, others, 'not so at the side'), ...beside(others, rows, 'missing')];
}
