import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import type { Status } from '../../src/use/status.ts';
import { type Counts, countsText, headline, TROUBLES } from '../../src/use/verdict.ts';
import { allowScreen, screenPage } from '../support/screen-page.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';
import { run } from './capture.ts';

type Leaves = (stage: Stage) => void | Promise<void>;

/** The ways in which a pass leaves something. Each is one trouble of the headline. */
const LEAVES = {
  async 'in-doubt'(stage: Stage) {
    const key = place(stage.marketplace, 'SB-0002');
    await stage.start(['work', 'admin']);
    const { intents } = stage.store();
    const id = await intents.open({ account: 'main', kind: 'order-in', key, externalId: key });
    await intents.inDoubt(id, cause('several-match', { found: ['E-1', 'E-2'], sent: true }), ['E-1', 'E-2']);
    await stage.stop();
  },
  failed({ marketplace, erp }: Stage) {
    erp.control.inject({ kind: 'status', status: 400, method: 'POST', path: '/v1/orders', times: null });
    place(marketplace, 'SB-0001');
  },
  invalid({ erp }: Stage) {
    erp.control.inject({ kind: 'invalid-row', key: null, set: { on_hand: 'many' }, path: '/v1/stock', times: null });
  },
  held({ marketplace }: Stage) {
    marketplace.forceStatus(place(marketplace, 'OWN-1'), 'Combined');
  },
  braked({ configFile }: Stage) {
    const text = readFileSync(configFile, 'utf8').replace('create: { count: 1000,', 'create: { count: 0,');
    writeFileSync(configFile, text);
  },
  async late(stage: Stage) {
    const aDay = 24 * 60 * 60 * 1000;
    await tamper(stage, `update cursors set updated_at_ms = updated_at_ms - ${aDay}`);
    await tamper(stage, `update coverage set read_at_ms = read_at_ms - ${aDay}`);
  },
} as const satisfies Readonly<Record<string, Leaves>>;

/** These come after the pass. */
const AFTERWARDS: readonly Left[] = ['late'];

function place(marketplace: Stage['marketplace'], sku: string): string {
  marketplace.createProducts([{ sku, name: sku, quantity: 5 }]);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku(sku).id, quantity: '1' }];
  return marketplace.placeOrder({ customer, items }).number;
}

type Left = keyof typeof LEAVES;
const NAMES = Object.keys(LEAVES) as Left[];
/** Each trouble alone, all but one, all, and none. */
const STATES = [[], ...NAMES.map((one) => [one]), ...NAMES.map((one) => NAMES.filter((other) => other !== one)), NAMES];

const flat = (text: string): string => stripVTControlCharacters(text).replaceAll(/<[^>]*>|\s+/g, ' ');

/** The first sentence of the screen and the gauges of the metrics, from a process that serves both. */
async function served(adminUrl: string | null) {
  const screen = await screenPage(adminUrl, '/');
  expect(screen).toContain('<li>marketplace.auth.key comes from the configuration: a new value takes effect on SIGHUP');
  const gauges = await until('the figures are measured', async () => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    const found = text.matchAll(/^stockbridge_not_in_step\{account="main",kind="([^"]+)"\} (\d+)$/gm);
    const counts = new Map(Array.from(found, ([, kind = '', count]) => [kind, Number(count)]));
    return counts.size > 0 && counts;
  });
  const [, first = '', others = ''] =
    /<h1 class="verdict">(.*?)<\/h1>(?:<p class="then">(.*?)<\/p>)?/s.exec(screen) ?? [];
  return { screen: flat(`${first} ${others}`), gauges };
}

/** A stage on which nothing is late between one view and the next. */
async function openQuiet(): Promise<Stage> {
  const stage = await openStage();
  allowScreen(stage);
  const text = readFileSync(stage.configFile, 'utf8')
    .replace('orders: 100ms, products: 200ms', 'orders: 1h, products: 1h')
    .replace('poll: 100ms', 'poll: 1h');
  writeFileSync(stage.configFile, text);
  stage.erp.control.seed(3);
  return stage;
}

test.each(STATES.map((state) => [state.join(', ') || 'nothing', state] as const))(
  'after a pass that leaves %s, status, sync, jobs list, the screen and the metrics agree',
  async (_, state) => {
    const stage = await openQuiet();
    const leave = async (isAfter: boolean) => {
      for (const left of state) if (AFTERWARDS.includes(left) === isAfter) await LEAVES[left](stage);
    };
    await leave(false);
    const ask = async (...args: string[]) => run([...args, '--config', stage.configFile]);
    const sync = flat((await ask('sync')).stdout);
    await leave(true);
    const { adminUrl } = await stage.start(['work', 'admin']);

    const [account] = (JSON.parse((await ask('status', '--json')).stdout) as Status).accounts;
    const counts = account?.verdict.counts as Counts;
    expect(TROUBLES.filter((trouble) => counts[trouble] > 0).toSorted()).toEqual(state.toSorted());
    expect(counts).toMatchObject({ held: Number(state.includes('held')) });
    const told = headline(counts);
    expect(sync).toMatch(new RegExp(`^main: ${headline({ ...counts, late: 0 }).toLowerCase()};`));
    expect(flat((await ask('status')).stdout).toLowerCase()).toContain(countsText(counts).toLowerCase());
    expect(flat((await ask('jobs', 'list')).stderr)).toContain(`main: ${told}`);
    const jobs = JSON.parse((await ask('jobs', 'list', '--json')).stdout) as object;
    expect(jobs).toMatchObject({ left: { main: counts }, held: counts.held });
    const { screen, gauges } = await served(adminUrl);
    expect(screen).toContain(told);
    expect(Object.fromEntries(gauges)).toEqual(counts);
  },
);
