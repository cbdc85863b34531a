import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Status } from '../../src/use/status.ts';
import { type Counts, countsText, headline, TROUBLES } from '../../src/use/verdict.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { run } from './capture.ts';

const TOKEN = 'an-operator-token';

/** The ways in which a pass leaves something. Each is one trouble of the headline. */
const LEAVES = {
  failed({ marketplace }: Stage) {
    marketplace.faults.set({ kind: 'status-before', operation: 'products.create', status: 400 });
  },
  invalid({ erp }: Stage) {
    erp.control.inject({ kind: 'misfit', key: null, set: { on_hand: 'many' }, path: '/v1/stock', times: null });
  },
  held({ marketplace }: Stage) {
    marketplace.createProducts([{ sku: 'OWN-1', name: 'One', quantity: 5 }]);
    const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const [listing] = marketplace.products();
    const { number } = marketplace.placeOrder({ customer, items: [{ product: listing?.id ?? 0, quantity: '1' }] });
    marketplace.forceStatus(number, 'Combined');
  },
} as const;
type Left = keyof typeof LEAVES;
const NAMES = Object.keys(LEAVES) as Left[];
const STATES = Array.from({ length: 2 ** NAMES.length }, (_, bits) => NAMES.filter((__, at) => (bits >> at) % 2 === 1));

const flat = (text: string): string => stripVTControlCharacters(text).replaceAll(/<[^>]*>|\s+/g, ' ');

/** The first sentence of the screen and the gauges of the metrics, from a process that serves both. */
async function served(stage: Stage) {
  const { adminUrl } = await stage.start(['admin']);
  const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ password: TOKEN }).toString();
  const login = await fetch(`${adminUrl}/login`, { method: 'POST', headers: form, body, redirect: 'manual' });
  const [cookie = ''] = String(login.headers.get('set-cookie')).split(';');
  const screen = await (await fetch(`${adminUrl}/`, { headers: { accept: 'text/html', cookie } })).text();
  const gauges = await until('the figures are measured', async () => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    const found = text.matchAll(/^stockbridge_not_in_step\{account="main",kind="([^"]+)"\} (\d+)$/gm);
    const counts = new Map(Array.from(found, ([, kind = '', count]) => [kind, Number(count)]));
    return counts.size > 0 && counts;
  });
  await stage.stop();
  return { screen: flat(/<p class="verdict">(.*?)<\/p>/s.exec(screen)?.[1] ?? ''), gauges };
}

test.each(STATES.map((state) => [state.join(', ') || 'nothing', state] as const))(
  'after a pass that leaves %s, status, sync, jobs list, the screen and the metrics tell the same',
  async (_, state) => {
    const stage = await openStage();
    const { configFile } = stage;
    const text = readFileSync(configFile, 'utf8')
      .replace('admin: { listen: 127.0.0.1:0 }', `admin: { listen: 127.0.0.1:0, operator_token: ${TOKEN} }`)
      // No list is late between one view and the next.
      .replace('orders: 100ms, products: 200ms', 'orders: 1h, products: 1h')
      .replace('poll: 100ms', 'poll: 1h');
    writeFileSync(configFile, text);
    stage.erp.control.seed(2);
    for (const left of state) LEAVES[left](stage);
    const ask = async (...args: string[]) => run([...args, '--config', configFile]);
    const sync = flat((await ask('sync')).stdout);

    const [account] = (JSON.parse((await ask('status', '--json')).stdout) as Status).accounts;
    const counts = account?.verdict.counts as Counts;
    expect(TROUBLES.filter((trouble) => counts[trouble] > 0).toSorted()).toEqual(state.toSorted());
    const told = headline(counts);
    expect(sync).toMatch(new RegExp(`^main: ${told.toLowerCase()};`));
    expect(flat((await ask('status')).stdout).toLowerCase()).toContain(countsText(counts).toLowerCase());
    expect(flat((await ask('jobs', 'list')).stderr)).toContain(`main: ${told}`);
    expect(JSON.parse((await ask('jobs', 'list', '--json')).stdout)).toMatchObject({ left: { main: counts } });
    const { screen, gauges } = await served(stage);
    expect(screen).toContain(told);
    expect(Object.fromEntries(gauges)).toEqual(counts);
  },
);
