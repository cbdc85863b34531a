import { chmod, chown, readFile } from 'node:fs/promises';
import { ExchangeError } from './exchange.ts';

/** The permissions and group of the files that the ERP fetches. */
export interface Access {
  /** As for chmod; null: by the umask. */
  readonly mode: number | null;
  /** A name or number; null: the system's default. */
  readonly group: string | null;
}

export function accessOf({
  mode,
  group,
}: {
  readonly mode?: string | undefined;
  readonly group?: string | undefined;
}): Access {
  return { mode: mode === undefined ? null : Number.parseInt(mode, 8), group: group ?? null };
}

export const DEFAULT_ACCESS: Access = { mode: null, group: null };

/** Whoever may read the files may enter the folder. */
export function folderMode(mode: number): number {
  return mode | ((mode & 0o444) >> 2);
}

/** Sets the permissions of a local path. @throws ExchangeError for an unknown group */
export async function setAccess(path: string, { mode, group }: Access, isFolder: boolean): Promise<void> {
  if (group !== null) await chown(path, process.getuid?.() ?? 0, await numberOf(group));
  if (mode !== null) await chmod(path, isFolder ? folderMode(mode) : mode);
}

async function numberOf(group: string): Promise<number> {
  if (/^\d+$/.test(group)) return Number(group);
  const lines = (await readFile('/etc/group', 'utf8')).split('\n');
  const [, , number] = lines.find((line) => line.startsWith(`${group}:`))?.split(':') ?? [];
  if (number !== undefined) return Number(number);
  throw new ExchangeError('forbidden', `This machine has no group ${group}: correct erp.group, or write its number`);
}
