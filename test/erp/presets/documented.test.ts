import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { openErp } from '../../../src/core/sides.ts';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { ErpConnector, ErpOrderDraft } from '../../../src/erp/connector.ts';
import { credentialOf } from '../../../src/http/credential.ts';
import { folderOf } from '../../config/folder.ts';
import { exact } from '../../support/units.ts';
import { answering } from '../contract/answering-server.ts';

/** A call as the vendor documents it. The parts of the body that are named here have to be equal. */
interface Exchange {
  readonly ask: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly answer?: unknown;
  /** The number of times that this exchange answers before the next one that fits; once when left out. */
  readonly times?: number;
}

type Line = { readonly sku: string; readonly quantity: string; readonly unitPrice: string };

interface Documented {
  readonly config: Record<string, unknown>;
  /** The headers of every call. */
  readonly headers: Record<string, string>;
  readonly exchanges: readonly Exchange[];
  readonly draft: { readonly customer: ErpOrderDraft['customer']; readonly line: Line };
  readonly edit?: Line;
  readonly since?: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

const FOLDER = new URL('./documented/', import.meta.url);
const VENDORS = readdirSync(FOLDER).map((file) => file.replace('.yaml', ''));

const read = (vendor: string): Documented =>
  parse(readFileSync(new URL(`${vendor}.yaml`, FOLDER), 'utf8'), { merge: true }) as Documented;

/** Is everything that the documentation names as it is there? */
function fits(wanted: unknown, sent: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(sent) && wanted.length === sent.length && wanted.every((part, index) => fits(part, sent[index]))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(wanted, sent);
  if (typeof sent !== 'object' || sent === null) return false;
  return Object.entries(wanted).every(([name, part]) => fits(part, (sent as Record<string, unknown>)[name]));
}

/** Answers as documented. A repeated call is answered by the next exchange that fits, and in the end by the last that fits. */
async function played({ exchanges, headers, config }: Documented, preset: string) {
  const left = new Map(exchanges.map((one) => [one, one.times ?? 1]));
  const strange: unknown[] = [];
  const answerTo = async (request: IncomingMessage): Promise<Exchange | null> => {
    const body = await text(request);
    const sent: unknown = /^\s*[[{]/.test(body) ? JSON.parse(body) : body;
    const path = decodeURIComponent(request.url ?? '');
    const known = Object.entries(headers).every(([name, value]) => request.headers[name] === value);
    const fitting = exchanges.filter(
      ({ ask }) =>
        ask.method === request.method && ask.path === path && (ask.body === undefined || fits(ask.body, sent)),
    );
    const found = fitting.find((one) => left.has(one)) ?? fitting.at(-1);
    if (found === undefined || !known) strange.push({ method: request.method, path, sent, headers: request.headers });
    const times = found === undefined ? 0 : (left.get(found) ?? 0);
    if (found !== undefined && times > 1) left.set(found, times - 1);
    else if (found !== undefined) left.delete(found);
    return found ?? null;
  };
  const server = await answering((request, response) => {
    void answerTo(request).then((found) => {
      const status = found === null ? 500 : (found.status ?? 200);
      const body = found?.answer === undefined ? '' : JSON.stringify(found.answer).replaceAll('http://erp', server.url);
      response.writeHead(status, { 'content-type': 'application/json', ...found?.headers }).end(body);
    });
  });
  const account = {
    marketplace: { base_url: 'https://marketplace.example', auth: { scheme: 'app', key: 'k' }, seller_id: 1 },
    inventory: { strategy: 'b' },
    erp: { type: 'rest', extends: preset, url: server.url, ...config },
  };
  const path = folderOf({ 'c.yaml': stringify({ accounts: { main: account } }) });
  const [loaded] = loadConfig(path('c.yaml'), {}).config.accounts;
  if (loaded === undefined) throw new Error('no account');
  const { auth } = config as { readonly auth: Record<string, string> };
  const secret = auth['token'] ?? auth['key'] ?? auth['password'] ?? 'documented-token';
  const erp = await openErp(loaded, { erp: () => credentialOf(secret) });
  return {
    erp,
    strange,
    left,
    [Symbol.asyncDispose]: async () => {
      await erp.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const lineOf = ({ sku, quantity, unitPrice }: Line) => ({
  sku,
  quantity: exact(quantity),
  unitPrice: exact(unitPrice),
});

function draftOf({ draft }: Documented, sku = draft.line.sku): ErpOrderDraft {
  const line = lineOf({ ...draft.line, sku });
  const total = line.quantity.times(line.unitPrice);
  const money = { discount: ZERO, shipping: ZERO, tax: ZERO, total };
  const known = { reference: 'SO-1', status: 'reserved', customer: draft.customer, currency: 'USD' } as const;
  return { ...known, lines: [line], ...money, note: '' };
}

const rowsOf = async <T>(pages: AsyncIterable<{ readonly items: readonly T[]; readonly complete: boolean }>) => {
  const all = await Array.fromAsync(pages);
  expect(all.at(-1)?.complete).toBe(true);
  return all.flatMap(({ items }) => items);
};

const failureOf = (erp: ErpConnector, draft: ErpOrderDraft) =>
  erp.createOrder(draft).then(
    () => null,
    (error: unknown) => error,
  );

describe.each(VENDORS)('the description of %s, played with what its vendor documents,', (vendor) => {
  it('the preset reads, finds, creates, edits and cancels as its vendor documents, and calls nothing else', async () => {
    const documented = read(vendor);
    const wanted = documented.expect;
    await using play = await played(documented, vendor);
    const { erp } = play;

    expect((await erp.ping()).name).not.toBe('');
    const products = await rowsOf(erp.listProducts(null));
    expect(plain(products)).toMatchObject(wanted['products'] as object[]);
    if (documented.since !== undefined) {
      const changed = await rowsOf(erp.listProducts(documented.since));
      expect(changed.map(({ id }) => id)).toEqual(wanted['changed']);
    }
    const stock = await erp.readStock([documented.draft.line.sku]);
    expect(plain(stock.items)).toMatchObject([wanted['stock']]);
    if (wanted['stocks'] !== undefined)
      expect(plain(await rowsOf(erp.listStock(null)))).toMatchObject(wanted['stocks'] as object[]);
    expect(plain(await erp.createOrder(draftOf(documented)))).toMatchObject(wanted['order'] as object);
    expect(plain(await erp.findOrders('SO-1'))).toMatchObject([wanted['order']]);
    expect(plain(await rowsOf(erp.listOrders(null)))).toMatchObject(wanted['listed'] as object[]);
    const { id } = wanted['order'] as { readonly id: string };
    if (documented.edit !== undefined) await erp.updateOrder(id, { lines: [lineOf(documented.edit)] });
    if (wanted['cancelled'] !== undefined)
      expect(plain(await erp.updateOrder(id, { status: 'cancelled' }))).toMatchObject(wanted['cancelled'] as object);
    if (wanted['unknown'] !== undefined) {
      const failure = await failureOf(erp, draftOf(documented, 'NOBODY'));
      expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
      expect(String(failure)).toContain(wanted['unknown']);
    }
    if (wanted['refused'] !== undefined) {
      const { sku, message, ...kind } = wanted['refused'] as Record<string, string>;
      const failure = await failureOf(erp, draftOf(documented, sku));
      expect(failure).toMatchObject(kind);
      expect(String(failure)).toContain(message);
    }
    if (wanted['nobody'] !== undefined) expect(await erp.getOrder('nobody')).toBeNull();
    expect(play.strange).toEqual([]);
    expect([...play.left.keys()].map(({ ask }) => ask)).toEqual([]);
  });
});

const SHIPPED = new URL('../../../src/erp/presets/', import.meta.url);
interface Head {
  readonly about: string;
  readonly not: string;
  readonly proven: string;
}
const HEADS = readdirSync(SHIPPED).map((file) => ({
  name: file.replace('.yaml', ''),
  ...(parse(readFileSync(new URL(file, SHIPPED), 'utf8')) as Head),
}));

it('every shipped preset that was not proven live is tested here or on a stand-in', () => {
  const unproven = HEADS.filter(({ proven }) => proven.startsWith('not proven live')).map(({ name }) => name);
  const onStandIn = unproven.filter((name) =>
    existsSync(new URL(`../stand-ins/${name}.long.test.ts`, import.meta.url)),
  );
  expect([...VENDORS, ...onStandIn].toSorted()).toEqual(unproven.toSorted());
});

it('the guide says of every shipped preset what it covers, what not, and how far it is proven', () => {
  const cell = (words: string) => words.trim().replaceAll('|', '\\|');
  const rows = HEADS.map(
    ({ name, about, not, proven }) => `| \`${name}\` | ${cell(about)} | ${cell(not)} | ${cell(proven)} |`,
  );
  const guide = readFileSync(new URL('../../../src/guide/connect.md', import.meta.url), 'utf8');
  const shown = guide.split('\n').filter((line) => HEADS.some(({ name }) => line.startsWith(`| \`${name}\` |`)));
  expect(shown).toEqual(rows);
});
