export interface Entry {
  readonly name: string;
  /** `other`: a link, pipe or device, which is never opened. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  /** Epoch milliseconds, by the clock of the machine with the file. */
  readonly mtimeMs: number;
}

/** Where files are exchanged with the ERP: a local folder or SFTP. Paths are relative to it, with `/`. */
export interface Exchange {
  readonly name: string;
  /** Empty if the folder does not exist. @throws ExchangeError */
  list(folder: string, signal?: AbortSignal): Promise<Entry[]>;
  /** Copies a file to a local path. @throws ExchangeError, also for more than `maxBytes` */
  fetch(path: string, to: string, maxBytes: number, signal?: AbortSignal): Promise<void>;
  /** Writes the whole file to disk, and replaces an existing one. @throws ExchangeError */
  write(path: string, content: Uint8Array): Promise<void>;
  /** Renames atomically. @throws ExchangeError */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** null: no such path. */
  stat(path: string): Promise<Entry | null>;
  makeFolder(path: string): Promise<void>;
  close(): Promise<void>;
}

/** `lost`: the call was in progress, and its effect is unknown. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly kind: 'unavailable' | 'credentials' | 'forbidden' | 'not-found' | 'lost';

  constructor(kind: ExchangeError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
