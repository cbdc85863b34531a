import { readFileSync } from 'node:fs';

/** The options of Node with which the container of a checkout starts the program (test/frame/setup.test.ts: the launcher does too). */
export function nodeOptionsOf(root: URL): string[] {
  const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
  return (/exec node (-.*) \/app\/src\/main\.ts/.exec(dockerfile)?.[1] ?? '')
    .split(' ')
    .filter((option) => option !== '');
}

export const NODE_OPTIONS: readonly string[] = nodeOptionsOf(new URL('../../', import.meta.url));
