import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { DEVELOPERS, INDEX, PAGES, ROOT, TOPICS, topicPage } from '../support/guide.ts';
import { configurationReference } from './configuration-reference.ts';

describe('the manual:', () => {
  test('the index of the manual names every page once', () => {
    const pages = readdirSync(join(ROOT, 'src/guide')).map((file) => file.replace(/\.md$/, ''));
    expect([...TOPICS, 'index'].toSorted()).toEqual(pages.toSorted());
  });

  test('a topic of the manual is printed unchanged, and the list without a topic', async () => {
    expect((await run(['guide', 'backup'])).stdout).toBe(topicPage('backup').text);
    expect((await run(['guide'])).stdout).toBe(INDEX.text);
  });

  test('an unknown topic of the manual is refused with the list of all', async () => {
    const { exitCode, stderr } = await run(['guide', 'backups']);
    expect(exitCode).toBe(64);
    expect(stderr).toContain('the manual has no page "backups"; did you mean "backup"? It has ');
    for (const topic of TOPICS) expect(stderr).toContain(topic);
  });

  test('the reference of the configuration is that of the schema (npm test -- test/guide/pages -u writes it)', async () => {
    await expect(configurationReference()).toMatchFileSnapshot(join(ROOT, 'src/guide/configuration-reference.md'));
  });

  test('ten questions of an operator lead to their page by a word of the question', () => {
    const asked: Readonly<Record<string, string>> = {
      'order is held': 'failures.md#an-order-is-held',
      'approve it': 'brakes.md#approve-or-drop-a-plan',
      'webhook was lost': 'webhooks.md#a-webhook-was-lost',
      'another machine': 'backup.md#move-to-another-machine',
      'down for a day': 'outages.md',
      'change the strategy': 'strategies.md#changing-the-strategy',
      'two processes': 'processes.md',
      upgrade: 'upgrade.md',
      restore: 'backup.md',
      rotate: 'secrets.md',
      'time zone': 'time-zones.md',
      'in doubt': 'failures.md#in-doubt',
    };
    const questions = INDEX.text.split('\n').filter((line) => line.startsWith('| ') && line.includes(' | '));
    for (const [words, target] of Object.entries(asked)) {
      const found = questions.find((line) => line.toLowerCase().split(' | ')[0]?.includes(words.toLowerCase()));
      expect(found, words).toContain(`(${target})`);
    }
  });
});

test('no guide page uses npx to run what a registry may deliver', () => {
  for (const { path, text } of [...PAGES, ...DEVELOPERS]) expect(text, path).not.toMatch(/\bnpx\b/);
  const sources = globSync(join(ROOT, 'src/**/*.ts')).filter((path) => readFileSync(path, 'utf8').includes('npx '));
  expect(sources).toEqual([]);
});

test('each decision is in the list, with its incident, its measurement or its reason', () => {
  const [, ...decisions] = DEVELOPERS;
  const list = decisions.find(({ path }) => path.endsWith('README.md'))?.text ?? '';
  for (const { path, text } of decisions.filter((one) => !one.path.endsWith('README.md'))) {
    expect(list).toContain(`](${path.replace('src/decisions/', '')})`);
    expect(text, path).toMatch(/^\*\*(Made by|Measured|Reason):\*\* /m);
  }
});
