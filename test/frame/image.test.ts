import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');

test('the container has the Node that package.json pins, on every platform the same', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
  const pinned = new Set(Object.values(optionalDependencies));
  const bases = [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)-bookworm-slim\b/gm)].map((match) => match[1]);
  expect(pinned).toEqual(new Set([process.versions.node]));
  expect(bases).toEqual([process.versions.node, process.versions.node]);
});
