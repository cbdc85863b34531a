import { setTimeout as sleep } from 'node:timers/promises';
import { cause } from '../../domain/causes/cause.ts';
import { durationMs } from '../../settings/scalars.ts';
import { BOUNDS } from './bounds.ts';
import { type Entry, ExchangeError, joinPath } from './exchange.ts';
import { ARCHIVED, archive, dropStaleNotices, type Finished, type ImportContext, importFile } from './import-file.ts';
import { LISTS, type Source } from './settings.ts';
import {
  clearNotices,
  followClock,
  latestFile,
  latestImportedChange,
  noticedFiles,
  setNotice,
  wasImported,
} from './view.ts';

/** Looks within this time share one result. It is shorter if files settle faster. */
const CURRENT_FOR_MS = 1_000;

/** Runs one look at the exchange at a time, shared by all callers. @param restore called before the first look */
export function createScans(taking: ImportContext, restore: (signal: AbortSignal) => Promise<void>) {
  let under: Promise<void> | null = null;
  const currentForMs = Math.min(CURRENT_FOR_MS, taking.settings.stableForMs);
  let lastAt = Number.NEGATIVE_INFINITY;
  let restored = false;
  const closing = new AbortController();
  const lookOnce = async (): Promise<void> => {
    if (!restored) await restore(closing.signal);
    restored = true;
    await lookAt(taking, closing.signal);
    lastAt = performance.now();
  };
  return {
    /** Starts a look or joins the running one. @throws ExchangeError */
    async now(signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted();
      if (performance.now() - lastAt < currentForMs) return;
      under ??= lookOnce().finally(() => {
        under = null;
      });
      await under;
    },
    async close(): Promise<void> {
      closing.abort();
      await under?.catch(() => {});
    },
  };
}

/** Imports every finished file, in the order of `LISTS`. */
async function lookAt(taking: ImportContext, signal: AbortSignal | undefined): Promise<void> {
  const wanted = async () => (await candidates(taking, signal)).filter((one) => !isSettled(taking, one));
  const first = await wanted();
  const unsure = first.filter(({ source, beside, entry }) => !isTold(source, beside, entry));
  let finished = first.filter((one) => !unsure.includes(one));
  if (unsure.some(({ source }) => !source.done)) {
    await sleep(taking.settings.stableForMs, undefined, { signal });
    const second = await wanted();
    finished = second.filter((one) => {
      if (one.source.done) return isTold(one.source, one.beside, one.entry);
      return first.some((other) => other.source === one.source && isSame(other.entry, one.entry));
    });
  }
  for (const { source, entry, beside } of finished) {
    const accepted = beside.has(`${entry.name}.accept`);
    const taken = { source, entry, accepted };
    if (wasImported(taking.view, source.list, entry)) await archive(taking, taken);
    else {
      await importFile(taking, taken, signal);
      await archiveReplaced(taking, source);
    }
  }
  tellMissing(taking);
  taking.view.transaction(() => followClock(taking.view, 'orders'));
}

interface Candidate {
  readonly source: Source;
  readonly entry: Entry;
  readonly beside: ReadonlySet<string>;
}

async function candidates(taking: ImportContext, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const { exchange, settings } = taking;
  const folders = new Map<string, readonly Entry[]>();
  const found: Candidate[] = [];
  for (const source of settings.sources) {
    const entries = folders.get(source.folder) ?? (await exchange.list(source.folder, signal));
    folders.set(source.folder, entries);
    if (entries.length > BOUNDS.files) {
      throw new ExchangeError('unavailable', `${exchange.name} holds more than ${BOUNDS.files} files: remove old ones`);
    }
    const beside = new Set(entries.map(({ name }) => name));
    dropStaleNotices(taking, source, beside);
    const fitting = entries.filter(({ name }) => source.fits.test(name) && !/\.(done|accept|tmp)$/.test(name));
    const sorted = fitting.toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    found.push(...sorted.map((entry) => ({ source, entry, beside })));
  }
  return found;
}

/** Whether the entry needs no second look: it has a `.done` file, or is no file. */
function isTold(source: Source, beside: ReadonlySet<string>, { name, kind }: Entry): boolean {
  return kind !== 'file' || (source.done && beside.has(`${name}.done`));
}

function isSame(a: Entry, b: Entry): boolean {
  return a.name === b.name && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** Whether a file with a notice is unchanged and not accepted by a person. */
function isSettled({ view }: ImportContext, { source, entry, beside }: Candidate): boolean {
  if (beside.has(`${entry.name}.accept`)) return false;
  const noticed = noticedFiles(view, source.list).find(({ name }) => name === entry.name);
  return noticed !== undefined && noticed.size === entry.size && noticed.mtimeMs === entry.mtimeMs;
}

/** Archives files with a notice, unread, once a newer valid snapshot replaced them. */
async function archiveReplaced(taking: ImportContext, source: Source): Promise<void> {
  const { view } = taking;
  const latest = latestFile(view, source.list);
  if (source.kind !== 'snapshot' || latest === null) return;
  const noticed = noticedFiles(view, source.list).filter(
    ({ name, mtimeMs, cause: told }) =>
      name !== '' && source.fits.test(name) && mtimeMs < latest.takenMs && told.code !== 'erp-file-kept',
  );
  const newest = latestImportedChange(view, source.list);
  if (newest === null || noticed.some(({ mtimeMs }) => mtimeMs >= newest)) return;
  for (const { name, size, mtimeMs } of noticed) {
    await archive(taking, { source, entry: { name, size, mtimeMs, kind: 'file' }, accepted: false });
  }
}

/** Sets notices for lists without a file or with an overdue one. */
function tellMissing({ view, settings, now }: ImportContext): void {
  for (const list of LISTS) {
    const sources = settings.sources.filter((one) => one.list === list);
    const [first] = sources;
    if (first === undefined) continue;
    const latest = latestFile(view, list);
    const overdue = sources.find(
      ({ every }) => every !== undefined && latest !== null && now() - latest.takenMs > durationMs(every),
    );
    const needed = list === 'products' || list === 'stock';
    const told =
      latest === null
        ? needed
          ? cause('erp-file-none', { list, files: first.files })
          : null
        : overdue === undefined
          ? null
          : cause('erp-file-overdue', { list, since: latest.toldFrom, within: overdue.every ?? '' });
    view.transaction(() => {
      const standing = noticedFiles(view, list).find(({ name }) => name === '')?.cause;
      const missing = standing?.code === 'erp-file-none' || standing?.code === 'erp-file-overdue';
      if (told !== null) setNotice(view, list, { name: '', size: 0, mtimeMs: 0 }, told);
      else if (missing) clearNotices(view, list, ['']);
    });
  }
}

/** Fills a new view from the archive, oldest file first. */
export async function rebuild(taking: ImportContext, signal: AbortSignal): Promise<void> {
  const { exchange, settings, view } = taking;
  for (const list of LISTS) {
    const folder = joinPath(settings.archive, list);
    const sources = settings.sources.filter((one) => one.list === list);
    const files: Finished[] = [];
    for (const entry of await exchange.list(folder, signal)) {
      const name = ARCHIVED.exec(entry.name)?.[2];
      const source = name === undefined ? undefined : sources.find((one) => one.fits.test(name));
      if (name === undefined || source === undefined || entry.kind !== 'file') continue;
      const archivedAs = joinPath(folder, entry.name);
      files.push({ source, entry: { ...entry, name }, accepted: true, archivedAs });
    }
    for (const file of files.toSorted((a, b) => a.entry.mtimeMs - b.entry.mtimeMs))
      await importFile(taking, file, signal);
    const names = files.map(({ entry }) => entry.name);
    view.transaction(() => clearNotices(view, list, names));
  }
}
