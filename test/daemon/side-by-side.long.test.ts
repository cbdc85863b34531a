import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { Config } from '../../src/config/resolve.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { concernOf } from '../../src/domain/notices.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { allStanding } from '../../src/use/notify.ts';
import { disagreements } from '../support/agreement.ts';
import { shareStage } from '../support/beside.ts';
import { needing } from '../support/needing.ts';
import { stopPostgres } from '../support/postgres.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const { test } = needing('postgres');
afterAll(stopPostgres);

const TOKEN = 'an-operator-token';
const HTML = { accept: 'text/html' };
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

/** The first of two daemons of one database, before it begins. */
async function openShared(change: (yaml: string) => string = (yaml) => yaml) {
  const stage = await openStage();
  const admin = `admin: { listen: 127.0.0.1:0, operator_token: ${TOKEN} }`;
  const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
  writeFileSync(stage.configFile, change(yaml));
  const { url, startOther } = await shareStage(stage);
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '1000');
  return { stage, url, startOther };
}

/** Two daemons: the first works the account, and the other stands by. */
async function openTwo(change?: (yaml: string) => string) {
  const { stage, startOther } = await openShared(change);
  const first = await stage.start();
  await until('the product is on sale', () => isOnSale(stage));
  return { stage, first, other: await startOther() };
}

const isOnSale = ({ marketplace }: Stage) =>
  marketplace.activeProductIds().length === 1 && Number(marketplace.productBySku('SB-0001').available) > 0;

const ask = (app: App, path: string, init: RequestInit = {}) =>
  fetch(`${app.adminUrl}${path}`, { redirect: 'manual', ...init });

function send(app: App, path: string, fields: Record<string, string>, cookie = '') {
  const body = new URLSearchParams(fields).toString();
  return ask(app, path, { method: 'POST', headers: { ...OWN_PAGE, cookie }, body });
}

test('a user who logs in at one daemon is known at the other, acts there, and is logged out of both', async () => {
  const { first, other } = await openTwo();
  const answer = await send(first, '/login', { password: TOKEN });
  const [cookie = ''] = String(answer.headers.get('set-cookie')).split(';');
  const page = async (app: App) => (await ask(app, '/', { headers: { ...HTML, cookie } })).text();
  const shown = await page(other);
  expect(shown).toContain('Worked by ');
  const token = /name="token" value="([^"]*)"/.exec(shown)?.[1] ?? '';
  const form = { token, account: 'main', flow: 'stock', reason: 'the sale begins' };
  expect((await send(other, '/act/pause', form, cookie)).status).toBe(303);
  expect(await page(first)).toContain('Go on with stock');
  expect(await first.core.state.store.pauses.all()).toMatchObject([{ flow: 'stock', reason: 'the sale begins' }]);
  await send(other, '/logout', { token }, cookie);
  for (const app of [first, other]) expect((await ask(app, '/', { headers: { ...HTML, cookie } })).status).toBe(303);
});

/** The live messages that a page receives, in the order of their arrival. */
async function listen(app: App) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { body } = await ask(app, '/api/v1/live', { headers, signal: over.signal });
  const heard: { readonly action: string }[] = [];
  const hear = async () => {
    let text = '';
    for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) heard.push(JSON.parse(data) as (typeof heard)[number]);
      }
    }
  };
  hear().catch(() => {});
  return heard;
}

test('a daemon is notified of the work of another one, and of acts on its screen', async () => {
  const { stage, first, other } = await openTwo();
  const both = [await listen(first), await listen(other)];
  stage.erp.control.setStock('SB-0001', '77');
  for (const heard of both)
    await until('the write is heard', () => heard.some(({ action }) => action.startsWith('stock.write')));
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ reason: 'the sale begins' });
  const path = '/api/v1/accounts/main/pauses/stock';
  expect((await ask(first, path, { method: 'PUT', headers, body })).status).toBe(200);
  for (const heard of both) await until('the act is heard', () => heard.some(({ action }) => action === 'pause'));
});

test('a webhook received by a daemon that does not work the account is processed by the one that does', async () => {
  const { stage, first, other } = await openTwo((yaml) =>
    yaml.replace('orders: 100ms, products: 200ms', 'orders: 1h, products: 1h'),
  );
  const { marketplace, erp } = stage;
  const url = `${other.receiverUrl}/webhooks/main/orders`;
  marketplace.webhooks.setTargets([{ url, types: ['order'], secret: WEBHOOK_SECRET }]);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
  const { number } = marketplace.placeOrder({ customer, items });
  await until('the order is in the ERP', () => erp.control.findOrders(number).length === 1);
  expect([...first.core.accounts.keys(), ...other.core.accounts.keys()]).toEqual(['main']);
});

const callsOf = async ({ core }: App) => (await core.metrics.calls.get()).values.length;
const worked = async ({ core }: App) =>
  (await core.metrics.worked.get()).values.filter(({ value }) => value === 1).map(({ labels }) => labels.account);

test('only the daemon that works the account reads and calls; the other one takes over when it ends', async () => {
  const { stage, first, other } = await openTwo();
  // A daemon that polls would have put reads on the queue by then, as the first did several times.
  const polls = vi.spyOn(other.core.known.get('main')?.queue ?? expect.fail('it is not known'), 'enqueue');
  const before = await callsOf(first);
  stage.erp.control.setStock('SB-0001', '77');
  await until('it is written', () => stage.marketplace.productBySku('SB-0001').available === '77');
  expect(before).toBeGreaterThan(0);
  await until('the first goes on reading', async () => (await callsOf(first)) > before);
  expect([await callsOf(other), await worked(first), await worked(other)]).toEqual([0, ['main'], []]);
  expect(polls).not.toHaveBeenCalled();
  await stage.stop();
  stage.erp.control.setStock('SB-0001', '78');
  await until('the other one writes', () => stage.marketplace.productBySku('SB-0001').available === '78');
  expect([await worked(first), await worked(other)]).toEqual([[], ['main']]);
  expect(polls).toHaveBeenCalled();
});

test('an account that is pinned to a daemon waits for it, and every screen names the daemon that works it', async () => {
  const { stage, startOther } = await openShared((yaml) =>
    yaml.replace('    inventory:', '    daemons: [other]\n    inventory:'),
  );
  const first = await stage.start();
  const headers = { ...HTML, authorization: `Bearer ${TOKEN}` };
  const page = async () => (await ask(first, '/', { headers })).text();
  expect(await page()).toContain('No daemon works this account.');
  const other = await startOther();
  await until('the product is on sale', () => isOnSale(stage));
  // On a busy machine, the overview of before is shown for a while.
  await until('the page tells who works it', async () => (await page()).includes(`Worked by other:${process.pid}`));
  expect([await worked(first), await worked(other), await callsOf(first)]).toEqual([[], ['main'], 0]);
});

/** A chat that keeps its messages. */
async function openChat() {
  const told: { event: string; code: string }[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      told.push(body as (typeof told)[number]);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** Dates the present concerns back by two minutes. */
async function longSince({ core: { config } }: App): Promise<void> {
  const { store, close } = await openPostgres(config.state.postgres ?? '', () => Date.now() - 120_000, false);
  for (const [account, concerns] of await allStanding(config, store))
    await store.notices.standing(
      account,
      { concerns: concerns.map(concernOf), sight: { seen: [], unseen: [], isAway: false } },
      [],
    );
  await close();
}

test('several daemons send one message when a cause begins, and one when it ends, even when the first sender is gone', async () => {
  const { told, url } = await openChat();
  const { stage, first, other } = await openTwo((yaml) => `${yaml}\nnotify: [{ type: webhook, url: "${url}" }]\n`);
  const account = { account: 'main', store: other.core.state.store };
  await setAlert(account, 'stock:nobody', [cause('paused', { reason: 'of this test' })]);
  await longSince(first);
  await until('it is told', () => told.length > 0);
  await stage.stop();
  await until('the other one works', async () => (await worked(other)).length > 0);
  await setAlert(account, 'stock:nobody', []);
  await longSince(other);
  await until('its end is told', () => told.some(({ event }) => event === 'closed'));
  expect(told.map(({ event, code }) => [event, code])).toEqual([
    ['opened', 'paused'],
    ['closed', 'paused'],
  ]);
});

/** Old records are looked for several times a second. */
const tidy = (config: Config): Config => ({ ...config, retention: { ...config.retention, inboxMs: 400 } });

/** A time of day that was some minutes ago, as the five fields of cron. */
function justNow(): string {
  const at = new Date(Date.now() - 5 * 60_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

/** From now on, the database records which connection looks for old rows of the journal. */
async function watchTidying(url: string): Promise<() => Promise<number[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`create table tidied (n serial, pid int);
    create function note_tidying() returns trigger language plpgsql as
      'begin insert into tidied (pid) values (pg_backend_pid()); return null; end';
    create trigger tidied after delete on journal for each statement execute function note_tidying()`);
  return async () =>
    (await client.query<{ pid: number }>('select pid from tidied order by n')).rows.map(({ pid }) => pid);
}

test('one of three daemons prunes old records and sends the digest, and another one goes on when it ends', async () => {
  const { told, url: chat } = await openChat();
  const { url, startOther } = await openShared(
    (yaml) => `${yaml}\nnotify: [{ type: webhook, url: "${chat}", digest: "${justNow()}" }]\n`,
  );
  const daemons = new Map<string, App>();
  for (const name of ['first', 'second', 'third']) daemons.set(name, await startOther(name, tidy));
  const tidied = await watchTidying(url);
  await until('somebody looks for old records several times', async () => (await tidied()).length >= 10);
  const [one = 0, ...more] = new Set(await tidied());
  expect(more).toEqual([]);
  await until('the digest is sent', () => told.length > 0);
  const { store } = daemons.get('second')?.core.state ?? expect.fail('it has not begun');
  const { leases, daemons: known } = await store.leases.list();
  const holder = known.find(({ id }) => leases.some((lease) => lease.account === '' && lease.holder === id));
  const gone = daemons.get(holder?.name.replace(/:\d+$/, '') ?? '') ?? expect.fail('nobody holds it');
  await gone.stop(5_000);
  await until('another one looks', async () => (await tidied()).filter((pid) => pid !== one).length >= 10);
  expect(new Set(await tidied()).size).toBe(2);
  expect(told.map(({ event }) => event)).toEqual(['digest']);
});

test('in a rolling update each daemon is replaced in turn while orders come: each order is in the ERP once', async () => {
  const { stage, startOther } = await openShared();
  const { marketplace, erp } = stage;
  const old = [await startOther('first'), await startOther('second')];
  await until('the product is on sale', () => isOnSale(stage));
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
  const numbers: string[] = [];
  const order = () => void numbers.push(marketplace.placeOrder({ customer, items }).number);
  for (const [index, daemon] of old.entries()) {
    order();
    await daemon.stop(5_000);
    order();
    await startOther(`new-${index}`);
    order();
  }
  const times = () => numbers.map((number) => erp.control.findOrders(number).length);
  await until('every order is there', () => times().every((count) => count > 0));
  await until('both sides agree', () => disagreements(stage, 'b').length === 0);
  expect(times()).toEqual([1, 1, 1, 1, 1, 1]);
});
