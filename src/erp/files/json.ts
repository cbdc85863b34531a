import { readFile } from 'node:fs/promises';
import { parseRows, TooManyRows, Unfit } from '../../http/rows.ts';
import { fieldsOf } from '../rows/fields.ts';
import { BOUNDS, type FileRow } from './bounds.ts';
import type { FileEnd } from './csv.ts';
import { fault } from './fault.ts';
import type { ListFile } from './schema.ts';

type JsonStyle = Pick<ListFile, 'encoding' | 'rows' | 'count'>;

/**
 * Reads the rows of a JSON file. A row's line is its place in the list, from 1.
 * @throws FileFault
 */
export async function* jsonRows(path: string, style: JsonStyle): AsyncGenerator<FileRow, FileEnd> {
  const answer = await parsed(path, style);
  const found = Array.isArray(answer) ? (answer as unknown[]) : fieldsOf(answer)[style.rows];
  if (!Array.isArray(found)) throw fault('erp-file-columns', { missing: [style.rows], shown: namesOf(answer) });
  for (const [index, row] of (found as unknown[]).entries()) yield { line: index + 1, ...rowOf(row) };
  if (style.count === undefined) return { told: null };
  const told = fieldsOf(answer)[style.count];
  if (told === undefined) throw fault('erp-file-columns', { missing: [style.count], shown: namesOf(answer) });
  return { told: typeof told === 'number' || typeof told === 'string' ? String(told) : '' };
}

async function parsed(path: string, { encoding, rows }: JsonStyle): Promise<unknown> {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(await readFile(path));
  } catch {
    throw fault('erp-file-encoding', { encoding, problem: 'some bytes are no characters of it' });
  }
  try {
    return await parseRows(Buffer.from(text), rows, BOUNDS.rows, BOUNDS.values);
  } catch (error) {
    if (error instanceof TooManyRows) throw fault('erp-file-large', { problem: `more than ${BOUNDS.rows} rows` });
    throw fault('erp-file-unreadable', { problem: 'it is no whole JSON' });
  }
}

function rowOf(value: unknown): Omit<FileRow, 'line'> {
  if (value instanceof Unfit) return { row: fieldsOf(value.row), problem: value.problem };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { row: {}, problem: 'it is no object' };
  return { row: fieldsOf(value), problem: null };
}

function namesOf(value: unknown): string[] {
  return Object.keys(fieldsOf(value)).slice(0, 20);
}
