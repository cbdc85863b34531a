import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, topicPage } from '../support/guide.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

test('the lockfile, the manifests and the top of the changelog have the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, object> };
  expect([lock.version, lock.packages['']]).toEqual([version, expect.objectContaining({ version })]);
  const manifests = globSync('config/deploy/**/*.yaml', { cwd: ROOT }).map(read).join('');
  const images = [...manifests.matchAll(/image: stockbridge:(.*)$/gm)].map(([, tag]) => tag);
  expect(new Set(images)).toEqual(new Set([version]));
  const told = [...topicPage('upgrade').text.matchAll(/^### (\d.*)$/gm)].map(([, one]) => one);
  expect(told[0]).toBe(version);
  expect(told).toEqual(told.toSorted((one = '', other = '') => other.localeCompare(one, 'en', { numeric: true })));
});
