/** A name in a folder of the exchange. */
export interface Entry {
  readonly name: string;
  /** `other`: a link, a pipe or a device. These are never opened. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  /** The time of the last change, by the clock of the machine that holds the file, in epoch milliseconds. */
  readonly mtimeMs: number;
}

/**
 * The place where files are exchanged with the ERP: a folder of this machine, or one behind SFTP. Paths are relative to it,
 * with `/` between their parts.
 */
export interface Exchange {
  /** The address of the place, for messages. */
  readonly name: string;
  /** The entries of a folder; none where there is no such folder. @throws ExchangeError */
  list(folder: string, signal?: AbortSignal): Promise<Entry[]>;
  /** Copies a file to a local path. @throws ExchangeError, also for a file of more than `maxBytes` */
  fetch(path: string, to: string, maxBytes: number, signal?: AbortSignal): Promise<void>;
  /** Writes a whole file to the disk, and replaces an earlier file of that name. @throws ExchangeError */
  write(path: string, content: Uint8Array): Promise<void>;
  /** Gives a file another name, in one step. @throws ExchangeError */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The entry of a path; null where there is none. */
  stat(path: string): Promise<Entry | null>;
  makeFolder(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A failure of the exchange. `lost`: the call was under way, and nobody knows how far it came. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly kind: 'unavailable' | 'credentials' | 'forbidden' | 'not-found' | 'lost';

  constructor(kind: ExchangeError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** The folder and the name of a path. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
