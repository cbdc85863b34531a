import type { Readable } from 'node:stream';
import type { FieldPacket, PoolConnection, QueryError, ResultSetHeader } from 'mysql2';
import type { Column, ColumnKind, Rows } from './database.ts';
import type { Bound } from './statement.ts';

/** Answers of MariaDB and MySQL as rows of text. */

/** Fewer than `size` at the end. */
export async function take(stream: Readable, size: number): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const iterator = stream.iterator({ destroyOnReturn: false });
  while (rows.length < size) {
    const { done, value } = (await iterator.next()) as IteratorResult<unknown[], undefined>;
    if (done === true) return rows;
    rows.push(value);
  }
  await iterator.return?.();
  return rows;
}

/** warnings: as counted by the server. After a rollback, one means that a change stayed. */
export interface Answer extends Rows {
  readonly warnings: number;
}

/** Some statements cannot be prepared, so one without values is sent as it is. */
export function ask(connection: PoolConnection, { text, values }: Bound, offset: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const answered = (error: QueryError | null, result: unknown, fields: FieldPacket[] | undefined): void => {
    if (error !== null) reject(error);
    else if (Array.isArray(result)) resolve({ ...rowsOf(result, (fields ?? []).map(columnOf), offset), warnings: 0 });
    else resolve(changed(result as ResultSetHeader));
  };
  if (values.length === 0) connection.query(text, answered as never);
  else connection.execute(text, [...values] as never, answered as never);
  return promise;
}

function changed({ affectedRows, insertId, warningStatus }: ResultSetHeader): Answer {
  const id = String(insertId) === '0' ? null : String(insertId);
  return { columns: [], rows: [], count: affectedRows, insertId: id, warnings: warningStatus };
}

/** @param offset of the session's time zone, in which the server shows a TIMESTAMP */
export function rowsOf(rows: readonly (readonly unknown[])[], columns: readonly Column[], offset: string): Rows {
  const texts = rows.map((row) =>
    row.map((value, index) => {
      const text = textOf(value);
      return text !== null && columns[index]?.kind === 'instant' ? `${text}${offset}` : text;
    }),
  );
  return { columns, rows: texts, count: rows.length, insertId: null };
}

/** A BIT comes as bytes. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.length === 1 ? String(value[0]) : value.toString('hex');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** By the protocol's type numbers. */
const KINDS: Readonly<Record<number, ColumnKind>> = {
  1: 'whole',
  2: 'whole',
  3: 'whole',
  4: 'float',
  5: 'float',
  7: 'instant',
  8: 'whole',
  9: 'whole',
  12: 'wall',
  13: 'whole',
  16: 'flag',
  245: 'json',
};
const TEXTS = [15, 249, 250, 251, 252, 253, 254];
const BINARY = 63;

export function columnOf({ name, columnType = 0, characterSet, extendedFormat }: FieldPacket): Column {
  if (extendedFormat === 'json') return { name, kind: 'json' };
  if (TEXTS.includes(columnType) && characterSet === BINARY) return { name, kind: 'bytes' };
  return { name, kind: KINDS[columnType] ?? 'plain' };
}
