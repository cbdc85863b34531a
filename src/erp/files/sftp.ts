import { createHash, timingSafeEqual } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import { folderMode } from './access.ts';
import { BOUNDS } from './bounds.ts';
import { type Entry, type Exchange, ExchangeError } from './exchange.ts';

export interface SftpPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** The current password, or the private key as in its file. */
  readonly login: () => Promise<Login>;
  /** `SHA256:...` as in `ssh-keygen -lf`. No other server is accepted. */
  readonly hostKey: string;
  readonly dir: string;
}

interface Login {
  readonly password?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** A folder behind SFTP, over one connection that is reopened when lost. Links are not followed. */
export function openSftp(place: SftpPlace, timeoutMs: number, mode: number | null = null): Exchange {
  const name = `sftp://${place.host}:${place.port}/${place.dir.replace(/^\/+/, '')}`;
  const at = (path: string) => [place.dir.replace(/\/+$/, ''), path].filter((part) => part !== '').join('/') || '.';
  const { call, close } = openCalls(place, name, timeoutMs);

  const list = (folder: string) =>
    call(async (sftp, channel) => {
      if (folder !== '' && (await sftp.exists(at(folder))) === false) return [];
      return entriesIn(channel, at(folder), name);
    });

  return {
    name,
    list,
    async fetch(path, to, maxBytes, signal) {
      // Closed here, since the call may hang after its timeout, and an open file would end the program.
      const target = await open(to, 'w', 0o600);
      try {
        await call((sftp) => download(sftp, at(path), target, maxBytes, signal), false, timeoutMs * LONG_CALLS);
      } finally {
        await target.close();
      }
    },
    write: (path, content) =>
      call(
        async (sftp) => {
          await sftp.put(Buffer.from(content), at(path));
          const { size } = await sftp.stat(at(path));
          if (size !== content.length) throw new ExchangeError('lost', `${path} was written in part only`);
          if (mode !== null) await sftp.chmod(at(path), mode);
        },
        true,
        timeoutMs * LONG_CALLS,
      ),
    rename: (from, to) => call((sftp) => replace(sftp, at(from), at(to)), true),
    remove: (path) => call(async (sftp) => void (await sftp.delete(at(path), true)), true),
    stat: (path) =>
      call(async (sftp) => {
        const type = await sftp.exists(at(path));
        if (type === false) return null;
        const own = path.slice(path.lastIndexOf('/') + 1);
        if (type !== '-') return { name: own, kind: KINDS[type] ?? 'other', size: 0, mtimeMs: 0 };
        const { size, modifyTime } = await sftp.stat(at(path));
        return { name: own, kind: 'file', size, mtimeMs: modifyTime };
      }),
    makeFolder: (path) =>
      call(async (sftp) => {
        if ((await sftp.exists(at(path))) !== false) return;
        await sftp.mkdir(at(path), true);
        if (mode !== null) await sftp.chmod(at(path), folderMode(mode));
      }, true),
    close,
  };
}

interface Connection {
  readonly sftp: SftpClient;
  readonly channel: SFTPWrapper;
}

type Work<T> = (sftp: SftpClient, channel: SFTPWrapper) => Promise<T>;

/** Calls over one connection, which the first call opens. */
function openCalls(place: SftpPlace, name: string, timeoutMs: number) {
  let connected: Promise<Connection> | null = null;

  const connection = async (): Promise<Connection> => {
    connected ??= connect(place, timeoutMs, () => {
      connected = null;
    });
    try {
      return await connected;
    } catch (error) {
      connected = null;
      throw connectError(name, error);
    }
  };
  /** One call within the timeout. @param writes whether a lost connection may hide an effect */
  const call = async <T>(work: Work<T>, writes = false, limitMs = timeoutMs): Promise<T> => {
    const { sftp, channel } = await connection();
    try {
      return await within(work(sftp, channel), limitMs);
    } catch (error) {
      const failure = callError(name, error, writes);
      if (failure.kind === 'lost' || failure.kind === 'unavailable') {
        connected = null;
        void sftp.end().catch(() => {});
      }
      throw failure;
    }
  };

  return {
    call,
    async close(): Promise<void> {
      const known = await connected?.catch(() => null);
      connected = null;
      await known?.sftp.end().catch(() => {});
    },
  };
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '-': 'file', d: 'folder' };
const LONG_CALLS = 10;

async function connect(place: SftpPlace, timeoutMs: number, lost: () => void): Promise<Connection> {
  // The next call reopens a connection that is lost between calls.
  const { password, key, passphrase } = await place.login();
  const sftp = new SftpClient('stockbridge', { error: lost, end: lost, close: lost });
  const connecting = sftp.connect({
    host: place.host,
    port: place.port,
    username: place.user,
    ...(password === undefined ? {} : { password }),
    ...(key === undefined ? {} : { privateKey: key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    readyTimeout: timeoutMs,
    keepaliveInterval: 15_000,
    hostVerifier: (shown: Buffer) => isHostKey(shown, place.hostKey),
    retries: 0,
  });
  try {
    return { sftp, channel: await within(connecting, timeoutMs) };
  } catch (error) {
    // The client does not close a connection on which the server never starts SFTP.
    (sftp as unknown as { readonly client: Client }).client.destroy();
    throw error;
  }
}

function isHostKey(key: Buffer, expected: string): boolean {
  const shown = Buffer.from(`SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`);
  const wanted = Buffer.from(expected.replace(/=+$/, ''));
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}

/** The most characters of all names in a folder, at 255 each. */
const MOST_NAMED = BOUNDS.files * 255;

/** Reads a folder part by part, since the client would keep an endless listing. */
async function entriesIn(channel: SFTPWrapper, path: string, place: string): Promise<Entry[]> {
  const handle = await answered<Buffer>((done) => channel.opendir(path, done));
  const found: Entry[] = [];
  let named = 0;
  try {
    for (;;) {
      const part = await answered<FileEntryWithStats[]>((done) => channel.readdir(handle, done)).catch(endOfList);
      if (part === null) return found;
      for (const { filename, longname, attrs } of part) {
        named += filename.length;
        // A server may omit size and time.
        const { size = 0, mtime = 0 } = attrs as Partial<Stats>;
        found.push({ name: filename, kind: KINDS[longname.charAt(0)] ?? 'other', size, mtimeMs: mtime * 1_000 });
      }
      if (found.length > BOUNDS.files || named > MOST_NAMED)
        throw new ExchangeError('unavailable', `${place} holds more than ${BOUNDS.files} files: remove old ones`);
    }
  } finally {
    channel.close(handle, () => {});
  }
}

function answered<T>(ask: (done: (error: Error | undefined, answer: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    ask((error, answer) => (error === undefined ? resolve(answer) : reject(error)));
  });
}

/** SSH_FX_EOF. */
const END = 1;

function endOfList(error: unknown): null {
  if ((error as { readonly code?: unknown }).code === END) return null;
  throw error;
}

async function download(
  sftp: SftpClient,
  from: string,
  target: FileHandle,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let size = 0;
  for await (const chunk of sftp.createReadStream(from) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (size > maxBytes) throw new ExchangeError('forbidden', `${from} is larger than ${maxBytes} bytes`);
    await target.write(chunk);
  }
}

/** Replaces a file by renaming. Plain SFTP cannot, but most servers have the extension. */
async function replace(sftp: SftpClient, from: string, to: string): Promise<void> {
  try {
    await sftp.posixRename(from, to);
  } catch (error) {
    if (!/(un|not )support/i.test(String(error))) throw error;
    await sftp.delete(to, true);
    await sftp.rename(from, to);
  }
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ExchangeError('lost', `no answer within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function connectError(name: string, error: unknown): ExchangeError {
  const text = error instanceof Error ? error.message : String(error);
  if (/verification failed|Host denied/i.test(text)) {
    const mend = 'It is not the server whose key is pinned: ask those who run it, and set host_key anew.';
    return new ExchangeError('credentials', `${name} shows another host key than erp.sftp.host_key. ${mend}`, error);
  }
  const isLogin = /authentication|privateKey|passphrase/i.test(text);
  return new ExchangeError(isLogin ? 'credentials' : 'unavailable', `${name} cannot be reached: ${text}`, error);
}

function callError(name: string, error: unknown, writes: boolean): ExchangeError {
  if (error instanceof Error && error.name === 'AbortError') throw error;
  if (error instanceof ExchangeError) {
    return error.kind === 'lost' && !writes ? new ExchangeError('unavailable', `${name}: ${error.message}`) : error;
  }
  const text = error instanceof Error ? error.message : String(error);
  const code = String((error as { readonly code?: string | number }).code ?? '');
  if (/No such file/i.test(text) || code === 'ENOENT') return new ExchangeError('not-found', `${name}: ${text}`, error);
  if (/Permission denied/i.test(text) || code === 'EACCES') {
    return new ExchangeError('forbidden', `${name}: ${text}`, error);
  }
  return new ExchangeError(writes ? 'lost' : 'unavailable', `${name}: ${text}`, error);
}
