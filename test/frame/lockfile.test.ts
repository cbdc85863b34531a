import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

interface Entry {
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const entries = Object.entries(packages).filter(([path]) => path !== '');

test('npm checks every package that it installs here: each has its hash in the lockfile', () => {
  const installed = entries.filter(([path]) => existsSync(join(ROOT, path)));
  expect(installed.length).toBeGreaterThan(100);
  const unchecked = installed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

test('a package without its hash is one of several builds, for some machines only', () => {
  const unchecked = entries.filter(([, { integrity }]) => integrity === undefined);
  const elsewhere = ({ optional, os, cpu }: Entry) => optional === true && os !== undefined && cpu !== undefined;
  expect(unchecked.filter(([, entry]) => !elsewhere(entry)).map(([path]) => path)).toEqual([]);
});
