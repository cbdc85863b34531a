import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/** The data of people on both sides. None of it looks like a secret by its form or by the name of its key. */
const PERSON = {
  name: 'Canaria Vogelsang',
  phone: '555-010-4711',
  email: 'canaria@vogelsang.example',
  license_number: 'LIC-CANARY-7734',
  street: '17 Canary Row',
  city: 'Canaryville',
  zipcode: '97299-0815',
} as const;

const ADDRESS = { address: PERSON.street, city: PERSON.city, state: 'OR', zipcode: PERSON.zipcode };
const CUSTOMER = {
  name: PERSON.name,
  email: PERSON.email,
  phone: PERSON.phone,
  license_number: PERSON.license_number,
};

function tellingIn(told: string): string[] {
  const found = Object.entries(PERSON).filter(([, value]) => told.toLowerCase().includes(value.toLowerCase()));
  return found.map(([name, value]) => {
    const at = told.toLowerCase().indexOf(value.toLowerCase());
    return `${name}: ${told.slice(Math.max(0, at - 200), at + 60)}`;
  });
}

/**
 * Stands before one side. On request, every write is refused, or every read fails, is no JSON, or does not fit. Each such
 * answer holds all data of the person.
 */
async function startChattering(upstream: string) {
  const said = `Sorry, ${JSON.stringify(CUSTOMER)} of ${PERSON.street}, ${PERSON.zipcode} ${PERSON.city}`;
  const refused = [422, JSON.stringify({ error: said, detail: said, [PERSON.name]: [said] })] as const;
  const bad: readonly (readonly [number, string])[] = [
    refused,
    [500, JSON.stringify({ error: said, detail: said })],
    [200, `${said} <html>`],
    [200, JSON.stringify({ items: [{ ...CUSTOMER, id: PERSON.name }], results: PERSON.name, cursor: 7, count: said })],
  ];
  let reads = 0;
  let spoils: 'reads' | 'writes' | null = null;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const isRead = request.method === 'GET';
      if (isRead) reads += 1;
      const spoilt = isRead ? bad[reads % bad.length] : refused;
      const [status, answer] =
        (spoils === (isRead ? 'reads' : 'writes') ? spoilt : undefined) ?? (await passOn(upstream, request, body));
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const spoil = (what: 'reads' | 'writes') => {
    spoils = what;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spoil };
}

async function passOn(upstream: string, { url = '/', method = 'GET', headers }: IncomingMessage, body: string) {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  const sent = body === '' ? {} : { body };
  const answer = await fetch(upstream + url, { method, headers: rest as Record<string, string>, ...sent });
  return [answer.status, await answer.text()] as const;
}

/** Customers of both sides, an order of each, and one that the ERP changes. */
async function fillWithPeople(stage: Stage): Promise<void> {
  const { erp, marketplace } = stage;
  erp.control.seed(2);
  erp.control.addCustomer({ ...CUSTOMER, active: true, addresses: { delivery: ADDRESS } });
  await onMarketplace(stage, 'POST', '/customers/', {
    owner_id: 4711,
    ...CUSTOMER,
    name: `${PERSON.name} West`,
    license_number: `${PERSON.license_number}-2`,
  });
  const [listing] = marketplace.createProducts([{ sku: 'SB-0001', name: 'One', quantity: 50 }]);
  const customer = marketplace.addCustomer({ name: `${PERSON.name} East`, state: 'NV' });
  marketplace.placeOrder({ customer, items: [{ product: listing?.id ?? 0, quantity: '1' }] });
}

/** All that the journal holds, as text. */
function readJournal(stage: Stage): string {
  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'), { readonly: true });
  const rows = sqlite.prepare('select * from journal').all();
  sqlite.close();
  return JSON.stringify(rows);
}

/** All files in the data folder beside the database, above all those of Redis. */
function readBeside(stage: Stage): string {
  const files = readdirSync(join(stage.dir, 'data'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && !file.name.startsWith('stockbridge.db'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

const ACCOUNT = `
    customers: { to_marketplace: true, to_erp: true, poll: 100ms }`;

test('the log and Redis identify customers by id, field and code only; the journal has the texts', async () => {
  const stage = await openStage({ account: ACCOUNT });
  await fillWithPeople(stage);
  const yaml = readFileSync(stage.configFile, 'utf8');
  const behind = { erp: await startChattering(stage.erp.url), market: await startChattering(stage.marketplace.url) };
  writeFileSync(
    stage.configFile,
    yaml
      .replace('mode: live', 'mode: live\nlog_level: debug')
      .replace(stage.erp.url, behind.erp.url)
      .replace(stage.marketplace.url, behind.market.url),
  );
  const daemon = startDaemon(stage.configFile);
  const admin = await until('it tells where it listens', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  const journal = async () => (await run(['--config', stage.configFile, 'journal', '--json'])).stdout;
  await until('people are written to both sides', async () => {
    const told = await journal();
    return (
      told.includes('customer-out.create') && told.includes('customer-in.create') && told.includes('order-in.create')
    );
  });
  const [created] = stage.erp.control.state().customers;
  stage.erp.control.setCustomer(created?.id ?? '', { phone: '555-010-4712' });
  await until('a change is written', () => /"outcome":"written","entry":\d+,"fields":\["phone"\]/.test(daemon.log()));
  for (const side of Object.values(behind)) side.spoil('writes');
  stage.erp.control.setCustomer(created?.id ?? '', { phone: PERSON.phone });
  await onMarketplace(stage, 'POST', '/customers/', { owner_id: 4711, name: `${PERSON.name} North` });
  await until('writes are refused', () =>
    [/customer-out.patch","outcome":"refused/, /customer-in.create","outcome":"refused/].every((line) =>
      line.test(daemon.log()),
    ),
  );
  for (const side of Object.values(behind)) side.spoil('reads');
  await until('reads of both sides fail', () =>
    ['erp', 'marketplace'].every((side) =>
      new RegExp(`"type":"CallFailure","side":"${side}","kind":"invalid-answer".*a read did not succeed`).test(
        daemon.log(),
      ),
    ),
  );
  const pages = await Promise.all(['/readyz', '/metrics'].map(async (path) => (await fetch(admin + path)).text()));
  expect(await daemon.terminate()).toBe(0);
  expect(tellingIn(daemon.log())).toEqual([]);
  expect(tellingIn(pages.join('\n'))).toEqual([]);
  const beside = readBeside(stage);
  expect(beside).toContain('customer-out');
  expect(tellingIn(beside)).toEqual([]);
  expect(tellingIn(readJournal(stage)).length).toBeGreaterThan(3);
});
