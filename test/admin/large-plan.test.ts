import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/daemon/metrics.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { summaryOf } from '../../src/use/plan-summary.ts';
import { openStoredPlans } from '../../src/use/plans/stored.ts';
import { useShelf } from '../store/shelf.ts';
import { adminWith, QUIET } from '../support/admin.ts';

const shelf = useShelf();
const TOKEN = 'the-viewer-token';
const COUNT = 320;
/** The longest description. */
const LONG = 'a text that somebody wrote for buyers, '.repeat(250);

const itemOf = (at: number): PlanItem => ({
  account: 'main',
  flow: 'product',
  key: `P-${String(at).padStart(6, '0')}`,
  actions: [
    {
      action: 'product.write',
      target: `listing ${at}: description`,
      before: LONG,
      after: `${LONG}${at}`,
      why: LONG,
      replaces: [],
      stoppedBy: null,
    },
  ],
  holds: [],
  alerts: [],
});

test('each change of a large plan is on one of its pages, none of which has more than 100 KB', async () => {
  const { store } = shelf();
  const dir = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const stored = openStoredPlans(dir, Date.now);
  const items = Array.from({ length: COUNT }, (_, at) => itemOf(at));
  const alone = {
    unlinked: { listings: 0, products: 0 },
    history: null,
    invalidRows: { count: 0, collections: [] },
    beside: 0,
  };
  const summary = summaryOf('main', { items, ...alone });
  stored.add(
    { account: 'main', made: { by: 'ada', atMs: Date.now() }, forgotten: null, liftsPauses: false, summary },
    items,
  );
  const { app } = adminWith({
    registry: createMetrics().registry,
    keys: () => ({ operator: 'an-operator-token', viewer: TOKEN, users: [] }),
    openedFor: ({ name }) => ({
      ...QUIET,
      plans: { ...QUIET.plans, ...stored, tidy: async () => {} },
      config: { accounts: [{ name: 'main' }], unusable: [] } as never,
      store,
      by: name,
      log: null as never,
    }),
  });
  const keys: string[] = [];
  for (let next: string | undefined = '/plans/1'; next !== undefined; ) {
    const answer: { statusCode: number; body: string } = await app.inject({
      url: next,
      headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/html' },
    });
    expect(answer.statusCode).toBe(200);
    expect(Buffer.byteLength(answer.body)).toBeLessThan(100 * 1024);
    keys.push(...[...answer.body.matchAll(/>(P-\d{6})</g)].map(([, key = '']) => key));
    const link: string | undefined = /rel="next" href="([^"#]*)/.exec(answer.body)?.[1];
    next = link === undefined ? undefined : `/${link.replaceAll('&amp;', '&')}`;
  }
  expect(keys).toEqual(items.map(({ key }) => key));
});
