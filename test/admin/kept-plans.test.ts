import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { summaryOf } from '../../src/use/plan-summary.ts';
import { createPlans } from '../../src/use/plans/plans.ts';
import { openStoredPlans } from '../../src/use/plans/stored.ts';
import { createTasks } from '../../src/use/tasks.ts';
import { accountConfig } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';
import { adminOn, QUIET } from '../support/admin.ts';
import { needing } from '../support/needing.ts';
import { findingsOn, launchChromium, takePicture } from '../support/screen.ts';
import { textOf } from '../support/visit.ts';

/* Plans that are kept, approved without single items. */

const OPERATOR = 'an-operator-token';
const HEADERS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
const shelf = useShelf();
let admin: ReturnType<typeof adminOn>;
let hash = '';
let [cookie, token] = ['', ''];

const itemOf = (key: string, after: string): PlanItem => ({
  account: 'main',
  flow: 'product',
  key,
  actions: [
    {
      action: 'product.price',
      target: `listing of ${key}`,
      before: '10 USD',
      after,
      why: '',
      replaces: [],
      stoppedBy: null,
    },
  ],
  holds: [],
  alerts: [],
});

const page = async (url: string) =>
  (await admin.app.inject({ method: 'GET', url, headers: { ...HEADERS, cookie } })).body;
const send = (url: string, form: Record<string, string>) =>
  admin.app.inject({
    method: 'POST',
    url,
    headers: { ...HEADERS, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

beforeEach(async () => {
  const { store } = shelf();
  const dir = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const stored = openStoredPlans(dir, Date.now);
  const items = [itemOf('P-1', '11 USD'), itemOf('P-2', '1999 USD')];
  const alone = { unlinked: null, history: null, invalidRows: { count: 0, collections: [] } };
  const made = { by: 'ada', atMs: Date.now() };
  const summary = summaryOf('main', { items, ...alone });
  ({ hash } = stored.add({ account: 'main', made, forgotten: null, liftsPauses: false, summary }, items));
  const plans = createPlans({
    store,
    accounts: new Map([['main', { now: Date.now } as never]]),
    plannedOf: () => {
      throw new Error('nothing is planned here');
    },
    stored,
    tasks: createTasks(Date.now, () => {}),
    applying: null,
    isDryRun: false,
  });
  admin = adminOn(store, () => ({ operator: OPERATOR, viewer: null, users: [] }), {
    openedFor: ({ name }) => ({
      ...QUIET,
      plans,
      config: { accounts: [accountConfig()], unusable: [] } as never,
      store,
      by: name,
      log: null as never,
    }),
  });
  cookie = String((await send('/login', { password: OPERATOR })).headers['set-cookie']).split(';')[0] ?? '';
  token = /name="token" value="([^"]+)"/.exec(await page('/plans'))?.[1] ?? '';
});

const approve = (more: Record<string, string> = {}) =>
  send('/act/plan-approve', { token, back: 'plans/1', account: 'main', plan: '1', hash, ...more });

test('each item of a plan has a box, and all but the ticked ones are approved after a question', async () => {
  const shown = await page('/plans/1');
  expect(shown.match(/name="except" value="[^"]+"/g)).toEqual([
    'name="except" value="product/P-1"',
    'name="except" value="product/P-2"',
  ]);
  expect(textOf(shown)).toContain('Approve all 2, except those left out…');
  const question = textOf((await approve({ except: 'product/P-2' })).body);
  expect(question).toContain('Approve 1 change of plan 1?');
  expect(question).toMatch(/change the price 1 .*11\.00 USD.*Left out P-2 listings/);
  expect(question).not.toContain('1,999.00');
  await approve({ except: 'product/P-2', sure: 'yes' });
  const after = await page('/plans/1');
  expect(textOf(after)).toContain('exactly as shown and without 1 item.');
  expect(after).toMatch(/P-2<[^]*?left out</);
  expect(after).not.toContain('name="except"');
});

test('an approval that leaves out all items, or one that the plan does not have, is refused', async () => {
  await approve({ except: 'product/P-9' });
  expect(textOf(await page('/plans/1'))).toContain('plan 1 has no product/P-9');
  const both = new URLSearchParams([
    ['except', 'product/P-1'],
    ['except', 'product/P-2'],
  ]).toString();
  await admin.app.inject({
    method: 'POST',
    url: '/act/plan-approve',
    headers: { ...HEADERS, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `${new URLSearchParams({ token, back: 'plans/1', account: 'main', plan: '1', hash }).toString()}&${both}`,
  });
  expect(textOf(await page('/plans/1'))).toContain('nothing of plan 1 is left to approve');
});

needing('chromium').test('the boxes of a plan are accessible at both widths', async () => {
  const url = await admin.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await launchChromium();
  try {
    for (const width of [390, 1280]) {
      const shown = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
      await shown.goto(`${url}/login`);
      await shown.fill('[name=password]', OPERATOR);
      await shown.click('main button');
      await shown.goto(`${url}/plans/1`);
      await shown.check('[name=except] >> nth=0');
      expect(await findingsOn(shown)).toEqual([]);
      await takePicture(shown, `kept-plan-${width}`);
      await shown.getByRole('button', { name: /^Approve all 2/ }).click();
      expect(await findingsOn(shown)).toEqual([]);
      await takePicture(shown, `kept-plan-question-${width}`);
    }
  } finally {
    await browser.close();
    await admin.app.close();
  }
});
