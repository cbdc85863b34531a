import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { openErp } from '../../../src/core/sides.ts';
import { ZERO } from '../../../src/domain/decimal.ts';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import type { ErpOrderDraft } from '../../../src/erp/connector.ts';
import { bookInMemory, withReferences } from '../../../src/erp/references.ts';
import { credentialOf } from '../../../src/http/credential.ts';
import { folderOf } from '../../config/folder.ts';
import { exact } from '../../support/units.ts';
import { answering } from '../contract/answering-server.ts';

/*
 * Stand-ins for ERPs whose field for the reference is shorter than an order number. They enforce the public rules of these fields:
 *   DocNumber of QuickBooks Online has 21 characters: longer texts are refused
 *     (developer.intuit.com, Estimate)
 * A field may also cut what is too long: the services in front of an ERP do that.
 */

type Longer = 'refuse' | 'cut';
interface StatedCapabilities {
  readonly status?: number;
  readonly body: unknown;
}
type Body = Record<string, unknown>;
interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Body;
}

const AT = '2030-01-01T00:00:00Z';

function quickbooks(longer: Longer) {
  const orders: Body[] = [];
  return ({ method, path, query, body }: Call): StatedCapabilities => {
    if (method === 'POST') {
      const sent = String(body['DocNumber']);
      if (sent.length > 21 && longer === 'refuse') {
        const detail = 'String length is either shorter or longer than supported. Max allowed length is 21.';
        return {
          status: 400,
          body: { Fault: { Error: [{ code: '2050', Message: 'Invalid String', Detail: detail }] } },
        };
      }
      const Id = String(orders.length + 1);
      const known = { Id, SyncToken: '0', MetaData: { CreateTime: AT, LastUpdatedTime: AT }, TotalAmt: 12 };
      orders.push({ ...body, ...known, DocNumber: sent.slice(0, 21) });
      return { body: { Estimate: { Id } } };
    }
    const at = /\/estimate\/(.+)$/.exec(path)?.[1];
    if (at !== undefined) return { body: { Estimate: orders.find(({ Id }) => Id === at) } };
    if (query.includes('from Item')) return { body: { QueryResponse: { Item: [{ Id: '10', Sku: 'SB-1' }] } } };
    const asked = /DocNumber = '([^']*)'/.exec(query)?.[1];
    const found = orders.filter((one) => asked === undefined || one['DocNumber'] === asked);
    return { body: { QueryResponse: found.length === 0 ? {} : { Estimate: found } } };
  };
}

const VENDORS = {
  quickbooks: {
    standIn: quickbooks,
    settings: { company: 'c1', currency: 'USD', customer: '25', open_since: '2026-01-01' },
  },
} as const;

async function opened(vendor: keyof typeof VENDORS, longer: Longer) {
  const { standIn, settings } = VENDORS[vendor];
  const answer = standIn(longer);
  const calls: Call[] = [];
  const server = await answering((request: IncomingMessage, response) => {
    void text(request).then((sent) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://erp');
      const query = decodeURIComponent(search.replaceAll('+', ' '));
      const body = sent === '' ? {} : (JSON.parse(sent) as Body);
      const call = { method: request.method ?? '', path: decodeURIComponent(pathname), query, body };
      calls.push(call);
      const said = answer(call);
      response.writeHead(said.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
    });
  });
  const auth = { scheme: 'oauth2', token_url: 'https://login.example/token', client_id: 'c', client_secret: 's' };
  const account = {
    marketplace: { base_url: 'https://marketplace.example', auth: { scheme: 'app', key: 'k' }, seller_id: 1 },
    inventory: { strategy: 'b' },
    erp: { type: 'rest', extends: vendor, url: server.url, auth, settings },
  };
  const [loaded] = loadConfig(folderOf({ 'c.yaml': stringify({ accounts: { main: account } }) })('c.yaml'), {}).config
    .accounts;
  if (loaded === undefined) throw new Error('no account');
  const raw = await openErp(loaded, { erp: () => credentialOf('a-token') });
  const { reference } = capabilitiesOf(loaded.erp.capabilities);
  const book = bookInMemory();
  return {
    raw,
    calls,
    erp: withReferences(raw, () => reference, book),
    /** The program without its memory of the references. */
    afresh: () => withReferences(raw, () => reference, bookInMemory()),
    [Symbol.asyncDispose]: async () => {
      await raw.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const draft = (reference: string): ErpOrderDraft => ({
  reference,
  status: 'reserved',
  customer: {},
  currency: 'USD',
  lines: [{ sku: 'SB-1', quantity: exact(1), unitPrice: exact(12) }],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: exact(12),
  note: '',
});

const CASES = Object.keys(VENDORS).flatMap((vendor) =>
  (['refuse', 'cut'] as const).map((longer) => [vendor as keyof typeof VENDORS, longer] as const),
);

describe.each(CASES)('%s, whose field would %s an order number,', (vendor, longer) => {
  test('a preset whose field would change an order number does not accept the number unchanged', async () => {
    await using play = await opened(vendor, longer);
    const number = randomUUID();
    const made = await play.raw.createOrder(draft(number)).catch((error: unknown) => error);
    if (longer === 'refuse') expect(made).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    else expect(made).not.toMatchObject({ reference: number });
  });

  test('a preset whose field would change an order number takes orders, and lists each under its number', async () => {
    await using play = await opened(vendor, longer);
    const number = randomUUID();
    const alike = `${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`;
    const [one, two] = [await play.erp.createOrder(draft(number)), await play.erp.createOrder(draft(alike))];
    expect([one.reference, two.reference]).toEqual([number, alike]);
    expect((await play.erp.findOrders(number)).map(({ id, reference }) => [id, reference])).toEqual([[one.id, number]]);
    expect((await play.erp.getOrder(two.id))?.reference).toBe(alike);
    const pages = await Array.fromAsync(play.erp.listOrders(null));
    expect(pages.flatMap(({ items }) => items).map(({ reference }) => reference)).toEqual([number, alike]);
    expect(await play.erp.findOrders(randomUUID())).toEqual([]);
  });

  test('a preset whose field would change an order number finds an order by its number after the database was lost', async () => {
    await using play = await opened(vendor, longer);
    const number = randomUUID();
    const { id } = await play.erp.createOrder(draft(number));
    const found = await play.afresh().findOrders(number);
    expect(found.map((order) => [order.id, order.reference])).toEqual([[id, number]]);
  });
});

test('a quote and a backslash of a SKU or a reference stay inside the text of a QuickBooks query', async () => {
  await using play = await opened('quickbooks', 'refuse');
  await play.raw.readStock(["A\\' or '", 'B\\']).catch(() => null);
  await play.raw.findOrders("A\\'").catch(() => null);
  const asked = play.calls.map(({ query }) => query);
  expect(asked.find((query) => query.includes('from Item'))).toContain(String.raw`Sku in ('A\\\' or \'', 'B\\')`);
  expect(asked.find((query) => query.includes('DocNumber ='))).toContain(String.raw`DocNumber = 'A\\\''`);
});
