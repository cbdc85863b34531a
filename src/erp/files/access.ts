import { chmod, chown, readFile } from 'node:fs/promises';
import { ExchangeError } from './exchange.ts';

/** The rights and the group of the files that the ERP fetches. */
export interface Access {
  /** The rights of a file, as chmod has them; null: as the umask of this process leaves them. */
  readonly mode: number | null;
  /** The name or the number of their group; null: as the system gives it. */
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

export const AS_IT_IS: Access = { mode: null, group: null };

/** The rights of a folder with such files: whoever may read them may enter it. */
export function folderMode(mode: number): number {
  return mode | ((mode & 0o444) >> 2);
}

/** Gives a path of this machine to those who are to have it. @throws ExchangeError for a group that nobody knows */
export async function give(path: string, { mode, group }: Access, isFolder: boolean): Promise<void> {
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
