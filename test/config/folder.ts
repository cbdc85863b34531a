import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, which is deleted when the test ends. Returns a function that gives the path of a name in it. */
export function folderOf(files: Record<string, string | Uint8Array>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'stockbridge-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return (name) => join(folder, name);
}

/** The least that a configuration needs. */
export const LEAST = `accounts:
  main:
    marketplace:
      base_url: https://marketplace.example
      auth: { scheme: app, key: app-key-1 }
      seller_id: 4711
    erp: { type: http, url: https://erp.example, token: erp-token-1 }
    inventory: { strategy: submitted-available }
`;
