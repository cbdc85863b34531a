import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/daemon/metrics.ts';
import { logWrites } from '../../../src/daemon/worker/log-writes.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import type { JournalEntry } from '../../../src/store/record.ts';

function teller() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const metrics = createMetrics();
  const tell = logWrites(createLogger({ level: 'info', secrets: [], to: { write } }), metrics);
  const counted = async () => (await metrics.writes.get()).values.map(({ labels, value }) => ({ ...labels, value }));
  return { tell, lines, counted };
}

const ENTRY: JournalEntry = {
  account: 'main',
  flow: 'stock',
  key: 'P-1',
  action: 'stock.write:zero',
  target: 'listing 17 (SB-1) quantity',
  before: '4',
  after: '0',
  why: 'ERP available 0',
  outcome: 'written',
  answer: 'quantity 0',
};

test('a write is logged with ids, fields and codes without the values, and is counted by its kind', async () => {
  const { tell, lines, counted } = teller();
  tell({ ...ENTRY, fields: ['quantity'] });
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String) as unknown,
      pid: process.pid,
      account: 'main',
      flow: 'stock',
      key: 'P-1',
      action: 'stock.write:zero',
      outcome: 'written',
      fields: ['quantity'],
      msg: 'written',
    },
  ]);
  expect(await counted()).toEqual([
    { account: 'main', side: 'marketplace', kind: 'stock.write', outcome: 'written', value: 1 },
  ]);
});

test('a refusal or an alarm is logged as a warning; an entry that is no write is not counted', async () => {
  const { tell, lines, counted } = teller();
  tell({ ...ENTRY, action: 'order-in.create', before: null, outcome: 'refused' });
  tell({ ...ENTRY, action: 'order-in.link', before: null, outcome: 'noted' });
  tell({
    ...ENTRY,
    action: 'alert',
    before: null,
    after: null,
    outcome: 'noted',
    why: 'it is oversold',
    codes: ['oversold'],
  });
  tell({ ...ENTRY, outcome: 'dry-run' });
  expect(lines.map(({ level, action, codes, msg }) => [level, action, codes, msg])).toEqual([
    ['warn', 'order-in.create', undefined, 'refused'],
    ['info', 'order-in.link', undefined, 'noted'],
    ['warn', 'alert', ['oversold'], 'noted'],
    ['info', 'stock.write:zero', undefined, 'not written: dry-run'],
  ]);
  expect(await counted()).toEqual([
    { account: 'main', side: 'erp', kind: 'order-in.create', outcome: 'refused', value: 1 },
  ]);
});

test('every write that a flow decides is counted; links, reads and past orders taken as work are not writes', async () => {
  const { tell, counted } = teller();
  const root = join(import.meta.dirname, '../../../src');
  const sources = globSync('flows/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const decided = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\baction: ((?:'[a-z-]+\.[a-z]+'(?: \| )?)+)/g)].flatMap(([, names = '']) =>
        names.split(' | ').flatMap((name) => name.replaceAll("'", '') || []),
      ),
    ),
  );
  for (const action of decided) tell({ ...ENTRY, action });
  const uncounted = [...decided].filter((action) => /\.(link|relink|follow|enter)$/.test(action));
  const kinds = (await counted()).map(({ kind }) => String(kind));
  expect([...kinds, ...uncounted].toSorted()).toEqual([...decided].toSorted());
  expect(kinds).toEqual(expect.arrayContaining(['images.upload', 'images.remove', 'product-line.create']));
});
