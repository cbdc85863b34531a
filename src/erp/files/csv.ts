import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { BOUNDS, type FileRow } from './bounds.ts';
import { textOf } from './decode.ts';
import { fault } from './fault.ts';
import type { ListFile } from './schema.ts';

type CsvStyle = Pick<ListFile, 'encoding' | 'separator' | 'quote' | 'header' | 'trailer' | 'open_end' | 'skip'>;

export interface FileEnd {
  /** The row count that the file states, as text; null: none. */
  readonly told: string | null;
}

/**
 * Streams the rows of a CSV file.
 * @param needed columns without which the file is refused
 * @throws FileFault
 */
export async function* csvRows(
  path: string,
  style: CsvStyle,
  needed: readonly string[],
): AsyncGenerator<FileRow, FileEnd> {
  const { separator, quote, trailer } = style;
  const text = Readable.from(
    textOf(path, { encoding: style.encoding, openEnd: style.open_end || trailer !== undefined }),
  );
  const parser = parse({
    delimiter: separator,
    from_line: style.skip + 1,
    quote: quote ?? false,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: BOUNDS.row,
  });
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let header = style.header && checked(style.header, needed);
  let told: string | null = null;
  let next = style.skip + 1;
  let rows = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = next;
      next = info.lines + 1;
      if (told !== null) throw fault('erp-file-unreadable', { problem: `line ${line} comes after the trailer` });
      if (header === undefined) header = checked(record, needed);
      else if (trailer !== undefined && record[0] === trailer.marks) told = record[trailer.column - 1] ?? '';
      else {
        rows += 1;
        if (rows > BOUNDS.rows) throw fault('erp-file-large', { problem: `more than ${BOUNDS.rows} rows` });
        yield { line, ...rowOf(record, header) };
      }
    }
  } catch (error) {
    throw csvFault(error);
  } finally {
    text.destroy();
  }
  if (trailer !== undefined && told === null) throw fault('erp-file-truncated', {});
  return { told };
}

interface Parsed {
  readonly record: readonly string[];
  /** The lines read so far, this row included. */
  readonly info: { readonly lines: number };
}

function checked(names: readonly string[], needed: readonly string[]): readonly string[] {
  const header = names.map((name) => name.trim());
  if (header.length > BOUNDS.columns) throw fault('erp-file-large', { problem: `more than ${BOUNDS.columns} columns` });
  const missing = needed.filter((name) => !header.includes(name));
  if (missing.length > 0) throw fault('erp-file-columns', { missing, shown: header.slice(0, 20) });
  const twice = needed.find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  if (twice !== undefined) throw fault('erp-file-unreadable', { problem: `it has two columns named ${twice}` });
  return header;
}

function rowOf(record: readonly string[], header: readonly string[]): Omit<FileRow, 'line'> {
  const row = Object.fromEntries(header.map((name, index) => [name, record[index]] as const));
  const beyond = record.slice(header.length).some((cell) => cell.trim() !== '');
  if (record.length < header.length || beyond) {
    return { row, problem: `it has ${record.length} cells, and the header has ${header.length}` };
  }
  const long = header.find((_name, index) => (record[index]?.length ?? 0) > BOUNDS.cell);
  return { row, problem: long === undefined ? null : `${long} has more than ${BOUNDS.cell} characters` };
}

function csvFault(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { code, lines, message } = error as CsvError & { readonly lines?: number };
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return fault('erp-file-large', { problem: `near line ${lines}, a row has more than ${BOUNDS.row} characters` });
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return fault('erp-file-unreadable', { problem: 'a quotation mark is not closed before its end' });
  }
  if (code === 'INVALID_OPENING_QUOTE') {
    const problem = `line ${lines} has a quotation mark inside a cell; where that is meant, set quote: null`;
    return fault('erp-file-unreadable', { problem });
  }
  return fault('erp-file-unreadable', { problem: message.replace(/^[^:]*: /, '').slice(0, 200) });
}
