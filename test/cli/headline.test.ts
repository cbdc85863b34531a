import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import type { Store } from '../../src/store/store.ts';
import { allCounts, readsOf } from '../../src/use/status.ts';
import { countsText, headline } from '../../src/use/verdict.ts';
import { installation } from './installation.ts';

const account = 'main';

/** The parts of a state of an account. */
const PARTS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  async failed({ work }) {
    const target = { account, flow: 'product', key: 'P-1' };
    await work.mark([target], 'poll', 'seen');
    await work.fail(target, 1, 'marketplace-refused', 'no', 1);
  },
  async held({ work }) {
    const target = { account, flow: 'stock', key: 'P-2' };
    await work.mark([target], 'poll', 'seen');
    await work.hold(target, 1, [cause('paused', { reason: 'x' })]);
    await work.release({ account });
  },
  pending: ({ work }) => work.mark([{ account, flow: 'stock', key: 'P-3' }], 'poll', 'seen'),
  async 'in-doubt'({ intents }) {
    const id = await intents.open({ account, kind: 'order-in', key: 'N-1', externalId: 'N-1' });
    await intents.inDoubt(id, cause('several-match', { found: ['E-1', 'E-2'], sent: true }), ['E-1', 'E-2']);
  },
  invalid: ({ invalidRows }) =>
    invalidRows.record(account, 'orders', [{ what: '1', path: 'status', message: 'expected a text' }]),
  comparing: (store) => setAlert({ account, store }, 'settings:changed', [cause('settings-comparing')]),
  async differs(store) {
    const shown = { base: '10 x SB-0001', there: '10 x SB-0001', erp: '7 x SB-0001' };
    const told = cause('edited-in-erp', { order: 'N-9', erpOrder: 'SO-9', ...shown, miscounted: null, rounded: null });
    await setAlert({ account, store }, 'order-in:N-9', [told]);
  },
  async backorder({ work }) {
    const target = { account, flow: 'order-in', key: 'N-8' };
    await work.mark([target], 'poll', 'seen');
    await work.hold(target, 1, [cause('backorder', { order: 'N-8' })]);
  },
  async read({ cursors }) {
    for (const list of ['orders', 'products']) {
      await cursors.record({ account, collection: list, from: null, to: null, rows: 0, finding: null, cursor: null });
    }
  },
};
const NAMES = Object.keys(PARTS);

const STATES = [[], ...NAMES.map((name) => [name]), ['failed', 'held', 'pending'], NAMES];

test.each(STATES.map((parts) => [parts.join(', ') || 'nothing', parts] as const))(
  'every view has the same counts in the state of %s',
  async (_, parts) => {
    const site = installation();
    const { store } = await site.open();
    for (const part of parts) await PARTS[part]?.(store);
    const { config } = loadConfig(site.file, {});
    const counts = (await allCounts(config, store, Date.now(), false)).get(account);
    if (counts === undefined) throw new Error('no account main');
    const lists = config.accounts.flatMap((one) => readsOf(one, store, Date.now()));
    expect(counts).toMatchObject({
      failed: Number(parts.includes('failed')),
      held: Number(parts.includes('held')),
      pending: Number(parts.includes('pending')),
      'in-doubt': Number(parts.includes('in-doubt')),
      invalid: Number(parts.includes('invalid')),
      differs: Number(parts.includes('differs')),
      comparing: Number(parts.includes('comparing')),
      unread: (await Promise.all(lists)).flat().filter(({ ageMs }) => ageMs === null).length,
    });
    const status = (await site.json('status')) as { accounts: { verdict: { counts: object } }[] };
    expect(status.accounts[0]?.verdict.counts).toEqual(counts);
    const flat = (text: string) => stripVTControlCharacters(text).replaceAll(/\s+/g, ' ');
    expect(flat((await site.run('status')).stdout).toLowerCase()).toContain(countsText(counts).toLowerCase());
    const jobs = await site.run('jobs', 'list', '--json');
    expect(JSON.parse(jobs.stdout)).toMatchObject({ left: { main: counts } });
    expect(flat((await site.run('jobs', 'list')).stderr)).toContain(`main: ${headline(counts)}`);
  },
);
