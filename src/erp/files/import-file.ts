import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAhead } from '../../domain/ahead.ts';
import { cause } from '../../domain/causes/cause.ts';
import { Unfit } from '../../http/rows.ts';
import { referenceIn, storeOrderReports } from './acknowledge.ts';
import { usOf } from './clock.ts';
import { type Entry, type Exchange, ExchangeError, joinPath } from './exchange.ts';
import { FileFault, fault } from './fault.ts';
import type { Placed } from './grouped.ts';
import { checkStaged, mergeStaged, stage } from './merge.ts';
import { type FileContent, readFile, timeOfFile } from './read-file.ts';
import type { FilesSettings, Source } from './settings.ts';
import { readOrder } from './stored-orders.ts';
import type { FileTime } from './times.ts';
import {
  clearNotices,
  importedName,
  latestFile,
  moveClock,
  noticedFiles,
  recordImport,
  setNotice,
  type View,
} from './view.ts';

export interface ImportContext {
  readonly exchange: Exchange;
  readonly view: View;
  readonly settings: FilesSettings;
  readonly spool: string;
  readonly now: () => number;
  /** Finds out whether the order's pending file got its final name. */
  readonly settle: (reference: string) => Promise<void>;
  readonly saw?: ((file: string, rows: string) => void) | undefined;
}

export interface Finished {
  readonly source: Source;
  readonly entry: Entry;
  /** A person confirmed the smaller file. */
  readonly accepted: boolean;
  /** The path of a file that is read from the archive and stays there. */
  readonly archivedAs?: string;
}

/**
 * Imports a finished file completely. A fault of the file becomes a notice, and then nothing of it is imported.
 * @throws ExchangeError when the exchange fails; a later look imports the file
 */
export async function importFile(taking: ImportContext, finished: Finished, signal?: AbortSignal): Promise<void> {
  const { view } = taking;
  const { source, entry } = finished;
  const { list } = source;
  try {
    await takeSound(taking, finished, signal);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    view.transaction(() => setNotice(view, list, entry, error.of(entry.name, list)));
    return;
  }
  if (finished.archivedAs === undefined) await archive(taking, finished);
}

async function takeSound(taking: ImportContext, finished: Finished, signal: AbortSignal | undefined): Promise<void> {
  const { view, settings, exchange, spool, now } = taking;
  const { source, entry } = finished;
  checkEntry(entry, settings.maxBytes);
  const known = latestFile(view, source.list)?.toldFrom ?? null;
  const named = timeOfFile({ ...entry, known }, source);
  if (named !== null) checkTime(taking, source, named.from);
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const path = join(spool, createHash('sha256').update(`${process.pid} ${source.files} ${entry.name}`).digest('hex'));
  try {
    const from = finished.archivedAs ?? joinPath(source.folder, entry.name);
    await exchange.fetch(from, path, settings.maxBytes, signal);
    const content = await hashOf(path);
    const identity = identityOf(content, source, named);
    // A copy made in the second of two equal hours of a file from the first brings nothing new.
    const inFirst = identityOf(content, source, timeOfFile({ ...entry, known: null }, source));
    const first = importedName(view, source.list, identity) ?? importedName(view, source.list, inFirst);
    if (first !== null) {
      view.transaction(() =>
        setNotice(view, source.list, { ...entry, name: '' }, again(entry.name, source.list, first)),
      );
      return;
    }
    const file = { path, name: entry.name, mtimeMs: entry.mtimeMs, known };
    const { time, rows, told, merge } = await readThrough(taking, finished, file);
    checkTime(taking, source, time.from);
    // The ERP may acknowledge a file before we know that it got its name.
    for (const { row } of told) {
      const reference = referenceIn(row);
      if (reference !== null) await taking.settle(reference);
    }
    const finish = await merge(signal);
    view.transaction(() => {
      if (importedName(view, source.list, identity) !== null) return;
      finish();
      const snapshot = source.kind === 'snapshot';
      recordImport(view, { ...entry, list: source.list, identity, toldFrom: time.from, snapshot }, now());
      clearNotices(view, source.list, ['', entry.name]);
    });
    taking.saw?.(entry.name, `${rows} rows of ${source.list}, as of ${time.from}`);
  } finally {
    await rm(path, { force: true });
  }
}

const again = (file: string, list: string, first: string) => cause('erp-file-again', { file, list, first });

async function readThrough(
  taking: ImportContext,
  { source, accepted }: Finished,
  file: Parameters<typeof readFile>[0],
) {
  const { view, settings } = taking;
  const told: Placed[] = [];
  if (source.list === 'acknowledgements') {
    const content = await readFile(file, source, settings.maxBytes, (rows) => told.push(...rows));
    checkCount(content);
    const finish = () => {
      storeOrderReports(view, file.name, told, content.time.from);
      moveClock(view, source.list, usOf(content.time.from));
    };
    return { ...content, told, merge: async () => finish };
  }
  const put = stage(view, source.list, file.name);
  const content = await readFile(file, source, settings.maxBytes, (rows) => {
    const isTold = (placed: Placed) => isOfWritten(view, source, placed);
    told.push(...rows.filter(isTold));
    put(rows.filter((placed) => !isTold(placed)));
  });
  checkCount(content);
  checkStaged(view, source, content, accepted);
  const merge = async (signal: AbortSignal | undefined) => {
    const finish = await mergeStaged(view, source, content, signal);
    return () => {
      finish();
      if (told.length > 0) storeOrderReports(view, file.name, told, content.time.from);
    };
  };
  return { ...content, told, merge };
}

function checkCount({ told, rows }: FileContent): void {
  if (told !== null && Number(told.trim()) !== rows) throw fault('erp-file-count', { rows, told });
}

/** Whether a row of an order list is about an order that the program wrote. */
function isOfWritten(view: View, { list, mapping }: Source, { row }: Placed): boolean {
  if (list !== 'orders' || !mapping.fields.has('reference')) return false;
  if (!(row instanceof Unfit) && mapping.fields.has('origin') && row['origin'] === 'erp') return false;
  const reference = referenceIn(row);
  return reference !== null && readOrder(view, reference) !== null;
}

function checkEntry({ name, kind, size }: Entry, maxBytes: number): void {
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw fault('erp-file-odd', { problem: 'its name is no plain text' });
  if (kind !== 'file') throw fault('erp-file-odd', { problem: kind === 'folder' ? 'it is a folder' : 'it is a link' });
  if (size === 0) throw fault('erp-file-empty', {});
  if (size > maxBytes) throw fault('erp-file-large', { problem: `${size} bytes, and ${maxBytes} are taken` });
}

function checkTime({ view, now }: ImportContext, source: Source, from: string): void {
  if (isAhead(from, new Date(now()).toISOString(), true)) throw fault('erp-file-ahead', { time: from });
  const known = source.kind === 'snapshot' ? latestFile(view, source.list, 'snapshots') : null;
  if (known !== null && from < known.toldFrom) throw fault('erp-file-older', { time: from, known: known.toldFrom });
}

/** The same content is the same file, unless its name states another time. */
function identityOf(content: string, source: Source, time: FileTime | null): string {
  return source.time.from === 'name' ? `${content} ${time?.from ?? null}` : content;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) hash.update(bytes);
  return hash.digest('hex');
}

/** The name with the time and size in front, so that archived files sort and never collide. */
export function archiveName({ name, mtimeMs, size }: Pick<Entry, 'name' | 'mtimeMs' | 'size'>): string {
  const stamp = new Date(mtimeMs).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${stamp}-${size}-${name}`;
}

export const ARCHIVED = /^(\d{8}T\d{6}Z)-\d+-(.+)$/s;

/**
 * Archives an imported or replaced file, and removes its `.done` and `.accept`. A file changed meanwhile stays for the
 * next look.
 */
export async function archive({ exchange, settings, view }: ImportContext, { source, entry }: Finished): Promise<void> {
  const folder = joinPath(settings.archive, source.list);
  const path = joinPath(source.folder, entry.name);
  try {
    const now = await exchange.stat(path);
    if (now === null || now.size !== entry.size || now.mtimeMs !== entry.mtimeMs) return;
    await exchange.makeFolder(folder);
    await exchange.rename(path, joinPath(folder, archiveName(entry)));
    for (const beside of ['.done', '.accept']) {
      if ((await exchange.stat(path + beside)) !== null) await exchange.remove(path + beside);
    }
    clearNotices(view, source.list, [entry.name]);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.kind === 'not-found') return;
    const told = cause('erp-file-kept', { file: entry.name, list: source.list, problem: error.message });
    view.transaction(() => setNotice(view, source.list, entry, told));
  }
}

export function dropStaleNotices(
  { view, settings }: ImportContext,
  source: Source,
  present: ReadonlySet<string>,
): void {
  const isElsewhere = (name: string) =>
    !source.fits.test(name) && settings.sources.some(({ list, fits }) => list === source.list && fits.test(name));
  const known = noticedFiles(view, source.list).map(({ name }) => name);
  const gone = known.filter((name) => name !== '' && !present.has(name) && !isElsewhere(name));
  if (gone.length > 0) view.transaction(() => clearNotices(view, source.list, gone));
}
