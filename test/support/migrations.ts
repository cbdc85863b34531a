import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Puts the migrations of a version to come into `folder`: those of today and one more. */
export function laterMigrations(folder: string, statement: string): string {
  cpSync(MIGRATIONS, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const content = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { when: number; [key: string]: unknown }[] };
  const last = content.entries.at(-1);
  content.entries.push({ ...last, idx: content.entries.length, when: (last?.when ?? 0) + 1, tag: '9999_later' });
  writeFileSync(journal, JSON.stringify(content));
  writeFileSync(join(folder, '9999_later.sql'), statement);
  return folder;
}
