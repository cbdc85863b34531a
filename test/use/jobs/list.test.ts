import { expect, test } from 'vitest';
import { loadConfigText } from '../../../src/config/load.ts';
import { listJobs } from '../../../src/use/jobs/list.ts';
import type { Opened } from '../../../src/use/open.ts';
import { useShelf } from '../../store/shelf.ts';

const shelf = useShelf();

const configText = (accounts: readonly string[]): string => `
version: 1
state: { dir: /nowhere }
accounts:
${accounts.map(accountText).join('\n')}`;

const accountText = (name: string, index: number): string => `
  ${name}:
    marketplace: { base_url: http://127.0.0.1:9, auth: { scheme: app, key: made-up }, seller_id: ${4711 + index} }
    erp: { type: http, url: http://127.0.0.1:9, token: made-up }
    inventory: { strategy: b }`;

test('an account with very many held keys hides no other account', async () => {
  const { store, sqlite } = shelf();
  sqlite().sqlite.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 10050)
    insert into work select 'large', 'stock', 'P-' || i, 1, 'poll', '', 'held', '[{"code":"backorder","params":{}}]', i, 0, i from n;
    insert into work select 'small', flow, key, version, lane, reason, state, hold_reason, held_since_ms, not_before_ms, since_ms
      from work limit 3`);
  const { config } = loadConfigText('stockbridge.yaml', configText(['large', 'small']), {});
  const opened = { config, store } as unknown as Opened;
  const { stopped } = await listJobs(opened, {}, 'held');
  const of = (name: string) => stopped.filter(({ account }) => account === name).length;
  expect([of('large'), of('small')]).toEqual([10_000, 3]);
});
