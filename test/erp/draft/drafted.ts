import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../cli/capture.ts';

/** Drafts as a person gets them: by the verb, as text. */

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

export const ENV = { MARKETPLACE_KEY: 'a-key', ERP_TOKEN: 'a-token', ERP_KEY: 'a-key', ERP_PASSWORD: 'a-password' };

export async function draft(from: string, ...args: string[]) {
  return run(['erp', 'draft', '--from', from, ...args], ENV);
}

/** A folder for one test. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return dir;
}

type Loose = Record<string, never>;

/** The section `erp` of a draft. */
export function sectionIn(text: string): { [key: string]: Loose } & { lists: Record<string, Loose>; finds: Loose } {
  return (parse(text) as { accounts: { main: { erp: never } } }).accounts.main.erp;
}

/** The draft as a configuration file, with its decided lines in the place of those that wait. */
export function settled(
  text: string,
  lines: readonly (readonly [waiting: string | RegExp, decided: string])[],
): string {
  const dir = folder();
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(
    file,
    lines.reduce((before, [waiting, decided]) => {
      const after = before.replace(waiting, decided);
      if (after === before) throw new Error(`the draft has no ${String(waiting)}`);
      return after;
    }, `state: { dir: ${dir}/data }\n${text}`),
  );
  return file;
}
