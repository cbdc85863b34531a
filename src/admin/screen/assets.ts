import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Assets } from './page.ts';

interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

/** The files of the screen by their addresses, which change with their content: they may be kept for ever. */
export function loadAssets(): { readonly names: Assets; readonly files: ReadonlyMap<string, Asset> } {
  const files = new Map<string, Asset>();
  const load = (file: string, type: string): string => {
    const content = readFileSync(new URL(`assets/${file}`, import.meta.url));
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const path = `assets/${file.replace('.', `.${digest}.`)}`;
    files.set(path, { type, content });
    return path;
  };
  const names = {
    style: load('style.css', 'text/css; charset=utf-8'),
    script: load('screen.js', 'text/javascript; charset=utf-8'),
    icon: load('icon.svg', 'image/svg+xml'),
  };
  return { names, files };
}
