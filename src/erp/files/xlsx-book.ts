import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { BOUNDS } from './bounds.ts';
import { FileFault, fault } from './fault.ts';

export interface Book {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Counts unpacked bytes and repeated texts. @throws FileFault above the bound */
  readonly unpacked: (bytes: number) => void;
}

export async function openBook(path: string, maxBytes: number): Promise<Book> {
  const most = maxBytes * BOUNDS.unpacked;
  let total = 0;
  const unpacked = (bytes: number) => {
    total += bytes;
    if (total > most) throw fault('erp-file-large', { problem: `it unpacks to more than ${most} bytes` });
  };
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { autoClose: false });
  } catch (error) {
    throw unreadable(error);
  }
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= BOUNDS.parts) throw fault('erp-file-large', { problem: 'it has too many parts' });
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    throw error instanceof FileFault ? error : unreadable(error);
  }
  return { zip, entries, unpacked };
}

export function unreadable(error: unknown): FileFault {
  const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return fault('erp-file-unreadable', { problem: `it is no sheet in XLSX (${text?.slice(0, 200)})` });
}

type Attributes = Readonly<Record<string, string>>;

interface Handler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Reads one part, and yields after each unpacked piece. */
export async function* readPart(book: Book, name: string, handler: Handler): AsyncGenerator<void> {
  const entry = book.entries.get(name);
  if (entry === undefined) return;
  const stream: Readable = await book.zip.openReadStreamPromise(entry);
  const parser = boundedParser(handler);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    book.unpacked(bytes.length);
    parser.write(decoder.decode(bytes, { stream: true }));
    yield;
  }
  parser.close();
}

/** Limits what the plain parser would keep: open elements, an element's attributes, and text between elements. */
function boundedParser(handler: Handler) {
  const parser = new SaxesParser();
  const local = (full: string) => full.slice(full.indexOf(':') + 1);
  let [depth, attributes, since] = [0, 0, 0];
  const seen = () => {
    since = 0;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('it declares a document type');
  });
  parser.on('opentagstart', () => {
    seen();
    attributes = 0;
    depth += 1;
    if (depth > BOUNDS.depth) throw new Error(`it is nested more than ${BOUNDS.depth} levels deep`);
  });
  parser.on('attribute', () => {
    seen();
    attributes += 1;
    if (attributes > BOUNDS.parts) throw new Error('an element has too many attributes');
  });
  parser.on('opentag', (tag) => handler.open?.(local(tag.name), tag.attributes));
  parser.on('text', (text) => {
    seen();
    handler.text?.(text);
  });
  parser.on('closetag', (tag) => {
    seen();
    depth -= 1;
    handler.close?.(local(tag.name));
  });
  return {
    write(text: string): void {
      since += text.length;
      parser.write(text);
      if (since > BOUNDS.row) throw new Error(`it has ${BOUNDS.row} characters without an element`);
    },
    close: () => parser.close(),
  };
}

/** Reads a part that stays in memory, up to a limit. */
export async function keptPart(book: Book, name: string, handler: Handler): Promise<void> {
  const size = book.entries.get(name)?.uncompressedSize ?? 0;
  if (size > BOUNDS.kept)
    throw fault('erp-file-large', { problem: `${name} unpacks to more than ${BOUNDS.kept} bytes` });
  for await (const _ of readPart(book, name, handler)) continue;
}

/** @param before the current count @throws FileFault at the limit */
export function bounded(before: number, most: number, what: string): void {
  if (before >= most) throw fault('erp-file-large', { problem: `more than ${most} ${what}` });
}
