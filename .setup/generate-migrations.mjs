// Makes the migrations of both databases from the descriptions of the tables: drizzle makes those of SQLite, and then each that
// PostgreSQL lacks follows from two neighbouring descriptions in migrations/meta. Functions and triggers are written by hand.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statementsBetween } from './schema-changes.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'migrations');

const drizzle = join(ROOT, 'node_modules/drizzle-kit/bin.cjs');
const args = ['generate', '--config', '.setup/drizzle.config.ts', ...process.argv.slice(2)];
execFileSync(process.execPath, [drizzle, ...args], { cwd: ROOT, stdio: 'inherit' });

const { entries } = JSON.parse(readFileSync(join(FOLDER, 'meta/_journal.json'), 'utf8'));
for (const { idx, tag } of entries) {
  const file = join(FOLDER, 'postgres', `${tag}.sql`);
  if (existsSync(file)) continue;
  const statements = statementsBetween(tablesAt(idx - 1), tablesAt(idx));
  writeFileSync(file, statements.map((statement) => `${statement};\n`).join('--> statement-breakpoint\n'));
  process.stdout.write(`${file}\n`);
}

function tablesAt(idx) {
  if (idx < 0) return { tables: {} };
  return JSON.parse(readFileSync(join(FOLDER, `meta/${String(idx).padStart(4, '0')}_snapshot.json`), 'utf8'));
}
