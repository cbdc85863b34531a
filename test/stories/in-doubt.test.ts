import { beforeEach, describe, expect, test } from 'vitest';
import { ACTS } from '../../src/admin/screen/acts.ts';
import { loadConfig } from '../../src/config/load.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import type { FlowName } from '../../src/flows/flows.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import type { AdminContext } from '../../src/use/admin-context.ts';
import { run } from '../cli/capture.ts';
import { QUIET } from '../support/admin.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

interface Told {
  readonly kind: string;
  readonly about: string;
  readonly example: { readonly code: string };
}

let stage: Stage;
let number: string;
let customer: number;

const verb = (...args: string[]) => run([...args, '--config', stage.configFile]);
const json = async (...args: string[]) => JSON.parse((await verb(...args, '--json')).stdout) as unknown;
const store = () => stage.store();
const ordersThere = (of = number) => stage.erp.control.findOrders(of).map(({ id }) => id);
const createsSent = () =>
  stage.erp.control.requests().filter(({ method, url }) => method === 'POST' && url === '/v1/orders').length;
/** The calls that change something on either side. */
const writes = () =>
  stage.erp.control.requests().filter(({ method }) => method !== 'GET').length +
  stage.marketplace.requestLog.calls().filter(({ method }) => method !== 'GET').length;
const workOf = (flow: FlowName, key: string) => store().work.get({ account: 'main', flow, key });
const settled = (flow: FlowName, key: string) =>
  until(`${flow} ${key} is settled`, async () => (await workOf(flow, key)) === null);

function placeOrder(): string {
  return stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
}

beforeEach(async () => {
  stage = await openStage({ timeout: '2s' });
  stage.erp.control.seed(2);
  await stage.sync();
  customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
});

test('a lookup that the ERP calls incomplete is repeated, and until then nothing is entered', async () => {
  await verb('pause', 'order-in');
  number = placeOrder();
  await stage.sync();
  await store().intents.open({ account: 'main', kind: 'order-in', key: number, externalId: number });
  // Dates the create back: a request from then can no longer arrive.
  await tamper(stage, 'update intents set sent_at_ms = 0, left_at_ms = 0');
  stage.erp.control.inject({ kind: 'incomplete', method: 'GET', path: '/v1/orders', keep: 0 });
  stage.erp.control.clearRequests();
  await verb('resume', 'order-in');
  await until('the order is in the ERP', () => ordersThere().length > 0);
  const asked = stage.erp.control.requests().filter(({ url }) => /^\/v1\/orders(\?reference=|$)/.test(url));
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  expect(ordersThere()).toHaveLength(1);
});

describe('an order of which the ERP has two', () => {
  beforeEach(async () => {
    const like = placeOrder();
    await stage.sync();
    await verb('pause', 'order-in');
    number = placeOrder();
    await stage.sync();
    // The state after a create whose answer was lost, when somebody has entered the order by hand meanwhile.
    await store().intents.open({ account: 'main', kind: 'order-in', key: number, externalId: number });
    for (let times = 0; times < 2; times += 1) await enterByHand(like);
    stage.erp.control.clearRequests();
    await stage.sync();
    await verb('resume', 'order-in');
    await stage.sync();
  });

  async function enterByHand(like: string): Promise<void> {
    const headers = { authorization: 'Bearer an-erp-token-for-tests', 'content-type': 'application/json' };
    const [id = ''] = ordersThere(like);
    const shown = (await (await fetch(`${stage.erp.url}/v1/orders/${id}`, { headers })).json()) as object;
    const body = JSON.stringify({ ...shown, reference: number });
    const answer = await fetch(`${stage.erp.url}/v1/orders`, { method: 'POST', headers, body });
    expect(answer.status, await answer.text()).toBe(201);
  }

  test('an order that the ERP has twice is listed in doubt, with what was found, and nothing more is created', async () => {
    await stage.sync();
    expect(await json('jobs', 'list')).toMatchObject({
      doubts: [
        {
          flow: 'order-in',
          kind: 'order-in',
          key: number,
          evidence: [{ code: 'several-erp-orders' }],
        },
      ],
    });
    expect((await verb('jobs', 'list')).stdout).toContain(`${number}, begun `);
    expect(createsSent()).toBe(0);
  });

  test('an order in doubt is adopted: linked, and nothing more is created', async () => {
    const [first = '', second = ''] = ordersThere();
    const { exitCode, stdout } = await verb('jobs', 'resolve', `order-in/${number}`, '--adopt', second);
    expect([exitCode, stdout]).toEqual([
      0,
      `order-in ${number}: ERP order ${second} is it\n` +
        `left as it is: ERP order ${first}: cancel it in the ERP, or the goods may be shipped twice\n`,
    ]);
    expect((await store().audit.latest(1))[0]?.after).toBe(`adopted ERP order ${second}, and not ${first}`);
    await stage.sync();
    expect((await store().mappings.byMarketplaceId('main', 'order', number))?.erpId).toBe(second);
    expect([await workOf('order-in', number), createsSent()]).toEqual([null, 0]);
    expect((await verb('audit', 'verify')).exitCode).toBe(0);
    const again = await verb('jobs', 'resolve', `order-in/${number}`, '--retry');
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('waits for your decision') as string]);
  });

  test('the screen names the next step for the duplicate that is left, as the terminal does', async () => {
    const [first = '', second = ''] = ordersThere();
    const [doubt] = await store().doubts.after(0, 1);
    const { config } = loadConfig(stage.configFile, {});
    const log = createLogger({ level: 'silent', secrets: [] });
    const context: AdminContext = { ...QUIET, config, store: store(), by: 'ada', log };
    const form = { id: doubt?.id, said: 'adopt', adopt: second };
    const done = await ACTS.find(({ name }) => name === 'resolve')?.run(
      context,
      form,
      AbortSignal.timeout(600_000),
      true,
    );
    const next = 'cancel it in the ERP, or the goods may be shipped twice';
    expect(done).toEqual({ said: `It is resolved; left as it is: ERP order ${first}: ${next}.` });
  });

  test.each(['cancelled', 'given another reference'])(
    'the duplicate that is left is an alert until it is %s',
    async (how) => {
      const [first = '', second = ''] = ordersThere();
      const linked = await json('map', 'link', 'order', number, second);
      expect(linked).toMatchObject({ outcome: 'linked', left: [first] });
      expect((await store().audit.latest(1))[0]?.after).toBe(`marketplace ${number} - ERP ${second}, and not ${first}`);
      const alert = async () => told(await alertOf({ account: 'main', store: store() }, `order-in:${number}`));
      await stage.sync();
      expect(await alert()).toBe(
        told([cause('erp-orders-beside', { order: number, erpOrder: second, others: [`${first} (reserved)`] })]),
      );
      expect((await verb('map', 'link', 'order', number, second)).stdout).toContain(
        `left as it is: ERP order ${first}: `,
      );
      if (how === 'cancelled') {
        stage.erp.control.cancelOrder(first);
        await stage.sync();
      } else {
        const order = await store().erp.order('main', first);
        if (order === null) throw new Error('it was not read');
        const changedAt = new Date(Date.parse(order.changedAt) + 1_000).toISOString();
        await store().erp.recordOrders('main', [{ ...order, reference: 'another', changedAt }], 'poll');
        await until('it was looked at', async () => (await alert()) === '');
      }
      expect(await alert()).toBe('');
    },
  );

  test('a decision on an unknown or foreign create, or one without sense, is refused, and nothing changes', async () => {
    const other = placeOrder();
    await stage.sync();
    const [taken = ''] = ordersThere(other);
    const says = async (code: number, text: string, ...args: string[]) => {
      const { exitCode, stdout, stderr } = await verb('jobs', 'resolve', ...args);
      expect([exitCode, stdout, stderr]).toEqual([code, '', expect.stringContaining(text) as string]);
    };
    await says(1, 'there is no ERP order SO-999999', `order-in/${number}`, '--adopt', 'SO-999999');
    await says(1, `is linked to ${other}, not to`, `order-in/${number}`, '--adopt', taken);
    await says(1, 'may still be applied', `order-in/${number}`, '--retry');
    await says(64, 'say one of --adopt', `order-in/${number}`);
    await says(64, 'say one of --adopt', `order-in/${number}`, '--retry', '--drop');
    await says(1, 'waits for your decision', `order-in/${other}`, '--drop');
    await says(1, 'waits for your decision', '999', '--retry');
    await says(64, 'there is no account "nope"', '1', '--retry', '--account', 'nope');
    expect((await json('jobs', 'list')) as object).toMatchObject({ doubts: [{ key: number }] });
    expect(await store().mappings.byErpId('main', 'order', taken)).toMatchObject({ marketplaceId: other });
  });

  test.each(['in doubt', 'dropped'])(
    'an order in doubt, %s, is settled once only one is left, and nothing waits any more',
    async (how) => {
      await stage.sync();
      await tamper(stage, 'update intents set sent_at_ms = 0, left_at_ms = 0');
      if (how === 'dropped') expect((await verb('jobs', 'resolve', `order-in/${number}`, '--drop')).exitCode).toBe(0);
      const open = await store().intents.unsettled({ account: 'main', kind: 'order-in', key: number });
      const doubt = cause('several-match', { found: ['1', '2'], sent: true });
      if (open !== null) await store().intents.inDoubt(open.id, doubt);
      const [first = '', second = ''] = ordersThere();
      stage.erp.control.cancelOrder(first);
      await stage.sync();
      expect((await store().mappings.byMarketplaceId('main', 'order', number))?.erpId).toBe(second);
      expect(await json('jobs', 'list')).toMatchObject({ doubts: [] });
    },
  );

  test('an order in doubt that was dropped is left alone', async () => {
    await tamper(stage, 'update intents set sent_at_ms = 0, left_at_ms = 0');
    expect((await verb('jobs', 'resolve', `order-in/${number}`, '--drop')).exitCode).toBe(0);
    const again = await verb('jobs', 'resolve', `order-in/${number}`, '--drop');
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('is dropped already') as string]);
    await stage.sync();
    expect([(await workOf('order-in', number))?.state, createsSent()]).toEqual(['held', 0]);
    const { creates } = (await json('jobs', 'show', `order-in/${number}`)) as { creates: object[] };
    expect(creates[0]).toMatchObject({
      state: 'dropped',
      evidence: { code: 'given-up', params: { doubt: null } },
      choices: [expect.stringContaining('--adopt') as string, expect.stringContaining('--retry') as string],
    });
  });
});

test('an order whose customer is in doubt waits for that decision: one doubt needs somebody, not two', async () => {
  const { intents } = store();
  const key = String(customer);
  const id = await intents.open({ account: 'main', kind: 'customer-in', key, externalId: key });
  const found = ['ERP customer C-1', 'ERP customer C-2'];
  await intents.inDoubt(id, cause('several-match', { found, sent: true }), ['C-1', 'C-2']);
  number = placeOrder();
  await stage.sync();
  const { accounts } = (await json('status')) as { accounts: { needs: Told[]; waits: Told[] }[] };
  const of = (all: Told[] = []) => all.map(({ kind, about, example }) => [kind, about, example.code]);
  expect(of(accounts[0]?.needs)).toEqual([['in doubt', 'customer-in', 'several-match']]);
  expect(of(accounts[0]?.waits)).toEqual([['held', 'order-in', 'customer-in-doubt']]);
  await verb('jobs', 'resolve', String(id), '--retry');
  await until('the order is in the ERP', () => ordersThere().length === 1);
});

test('a replay of a create that was resolved meanwhile writes nothing, and says so', async () => {
  number = placeOrder();
  await stage.sync();
  await stage.stop();
  await stage.start();
  await settled('order-in', number);
  const target = { account: 'main', flow: 'order-in', key: number } as const;
  await store().work.fail(target, 0, 'erp-refused', 'closed for today', 3);
  const before = writes();
  const { exitCode, stdout, stderr } = await verb('jobs', 'replay', '--error', 'closed', '--wait');
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining(`  order-in ${number}: already in step: nothing was written\n`) as string,
  ]);
  expect(stderr).toContain('1 replayed: 1 already in step.');
  expect(writes()).toBe(before);
});

test('a replay of many jobs reports the result of each', async () => {
  const refusal = {
    kind: 'status',
    method: 'POST',
    path: '/v1/orders',
    status: 422,
    error: 'closed for today',
  } as const;
  // The first look at an order makes its customer, and so each order of that customer is looked at once more.
  stage.erp.control.inject({ ...refusal, times: null });
  const numbers = [placeOrder(), placeOrder(), placeOrder()];
  await stage.sync();
  expect(await store().work.failed({ error: 'closed' })).toHaveLength(3);
  stage.erp.control.clearFaults();
  await stage.stop();
  await stage.start();
  stage.erp.control.inject({ ...refusal, times: 1 });
  const { exitCode, stderr } = await verb('jobs', 'replay', '--error', 'closed', '--yes', '--wait');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('3 replayed: 2 written, 1 failed again.') as string]);
  const results = (await store().audit.latest(3)).map(({ action, outcome, key }) => [action, outcome, key]);
  expect(results).toEqual(
    expect.arrayContaining([
      ['job.replay.result', expect.stringMatching(/^written \d$/) as string, expect.any(String) as string],
      ['job.replay.result', expect.stringContaining('closed for today') as string, expect.any(String) as string],
    ]),
  );
  expect(numbers.flatMap((each) => ordersThere(each))).toHaveLength(2);
  expect((await verb('audit', 'verify')).exitCode).toBe(0);
});
