import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Access, DEFAULT_ACCESS, setAccess } from './access.ts';
import { type Entry, type Exchange, ExchangeError, splitPath } from './exchange.ts';

const CHUNK = 256 * 1024;

/** A local folder. Links are not followed, so no file outside is ever opened. */
export function openFolder(dir: string, access: Access = DEFAULT_ACCESS): Exchange {
  const told = <T>(work: () => Promise<T>) =>
    work().catch((error: unknown) => Promise.reject(exchangeError(dir, error)));
  /** @throws ExchangeError if the file is outside the folder */
  const inside = async (path: string): Promise<string> => {
    const root = await realpath(dir);
    const { folder, name } = splitPath(path);
    const real = await realpath(join(root, folder));
    if (real !== root && !real.startsWith(root + sep))
      throw new ExchangeError('forbidden', `${path} leads out of ${dir}`);
    return join(real, name);
  };

  return {
    name: dir,
    list: (folder) =>
      told(async () => {
        if (folder !== '' && !(await exists(join(dir, folder)))) return [];
        const here = folder === '' ? await realpath(dir) : await inside(folder);
        const names = await readdir(here);
        const entries = await Promise.all(names.map((name) => entryOf(join(here, name), name)));
        return entries.filter((entry) => entry !== null);
      }),
    fetch: (path, to, maxBytes, signal) => told(async () => copy(await inside(path), to, maxBytes, signal)),
    write: (path, content) =>
      told(async () => {
        const real = await inside(path);
        const file = await open(real, writing, 0o660);
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await setAccess(real, access, false);
      }),
    rename: (from, to) =>
      told(async () => {
        const target = await inside(to);
        await rename(await inside(from), target);
        await syncFolder(dirname(target));
      }),
    remove: (path) => told(async () => rm(await inside(path), { force: true })),
    stat: (path) => told(async () => entryOf(await inside(path), splitPath(path).name)),
    makeFolder: (path) =>
      told(async () => {
        const made = await mkdir(join(dir, path), { recursive: true });
        // Every newly created folder, innermost first.
        for (let at = join(dir, path); made !== undefined && at.length >= made.length; at = dirname(at))
          await setAccess(at, access, true);
      }),
    close: async () => {},
  };
}

const writing = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function copy(from: string, to: string, maxBytes: number, signal: AbortSignal | undefined): Promise<void> {
  const source = await open(from, reading);
  try {
    const target = await open(to, 'w', 0o600);
    try {
      const chunk = Buffer.alloc(CHUNK);
      for (let size = 0; ; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await source.read(chunk, 0, CHUNK);
        if (bytesRead === 0) return;
        size += bytesRead;
        if (size > maxBytes) throw new ExchangeError('forbidden', `${from} is larger than ${maxBytes} bytes`);
        await target.write(chunk.subarray(0, bytesRead));
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function entryOf(path: string, name: string): Promise<Entry | null> {
  try {
    const stats = await lstat(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { name, kind, size: stats.size, mtimeMs: Math.floor(stats.mtimeMs) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await entryOf(path, '')) !== null;
}

/** A rename is on the disk only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

const KINDS: Readonly<Record<string, ExchangeError['kind']>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ELOOP: 'forbidden',
};

function exchangeError(dir: string, error: unknown): Error {
  if (error instanceof ExchangeError || (error instanceof Error && error.name === 'AbortError')) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ExchangeError(
    KINDS[codeOf(error)] ?? 'unavailable',
    `The folder ${dir} cannot be used: ${message}`,
    error,
  );
}
