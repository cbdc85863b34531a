import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Books, openBooks } from '../../src/sandbox/erp/books.ts';
import { createControl, type ErpControl } from '../../src/sandbox/erp/control.ts';
import { createFaults } from '../../src/sandbox/erp/faults.ts';
import { addContractRoutes } from '../../src/sandbox/erp/routes.ts';
import { SCHEMA as ERP_SCHEMA } from '../../src/sandbox/erp/schema.ts';
import { type Actions, createActions } from '../../src/sandbox/marketplace/actions.ts';
import { admit, applyCall } from '../../src/sandbox/marketplace/api-call.ts';
import { FULL_ACCESS } from '../../src/sandbox/marketplace/auth.ts';
import type { Faults } from '../../src/sandbox/marketplace/faults.ts';
import { SCHEMA as MARKETPLACE_SCHEMA } from '../../src/sandbox/marketplace/schema.ts';
import { openSandboxMarketplace, type SandboxOptions } from '../../src/sandbox/marketplace/start.ts';
import type { WebhookSender } from '../../src/sandbox/marketplace/webhook-sender.ts';
import { openSql, type Sql } from '../../src/sandbox/sql.ts';
import type { Stage } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';
import type { Quota } from './world.ts';

/** A request as it arrives. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The side left out rows, so the answer does not tell everything. */
  readonly untrue?: boolean;
}

interface Changed {
  /** A number or an id. */
  readonly key: string;
  /** By the marketplace's clock, since 1970. */
  readonly modifiedMicros: number;
}

/** The sandbox's marketplace and ERP without sockets: a call is a function. */
export type ErpOrder = ReturnType<Books['orderList']>['items'][number];

export interface Sides {
  readonly marketplace: Actions & { readonly faults: Faults; useQuota(calls: number): void };
  readonly erp: {
    readonly control: ErpControl;
    readonly books: Books;
    /** How often a fault struck a path: `empty /v1/stock`. */
    readonly struck: ReadonlyMap<string, number>;
  };
  /** The rows of both sides as they are stored, for deeds and looks that no page of either side offers. */
  readonly tables: Readonly<Record<'marketplace' | 'erp', Sql>>;
  /** The orders that the ERP has, and shows to nobody. */
  readonly hidden: Set<ErpOrder>;
  /** When the marketplace's rows that lists show were changed last. */
  changed(): { readonly orders: readonly Changed[]; readonly products: readonly Changed[] };
  /** The call takes effect at once. Only the answer is a promise, which does not wait for anything. */
  call(side: 'marketplace' | 'erp', request: Request): Promise<Reply>;
}

/** Both sides as they are compared, with the shipped orders that the ERP has put away. */
export function comparedSides({ marketplace, erp, hidden }: Sides): Stage {
  const state = () => {
    const shown = erp.control.state();
    const putAway = [...hidden].filter(({ status }) => status === 'shipped');
    return { ...shown, orders: [...shown.orders, ...putAway] };
  };
  return { marketplace, erp: { control: { ...erp.control, state } } } as unknown as Stage;
}

export const ERP_TOKEN = 'an-erp-token-for-tests';

const CHANGED_ORDERS = 'SELECT number AS key, modified AS modifiedMicros FROM orders';
const CHANGED_PRODUCTS = 'SELECT cast(id AS text) AS key, modified AS modifiedMicros FROM products WHERE NOT archived';

/** The differences of the sides' clocks from ours. */
export interface ClockOffsets {
  readonly marketplaceMs: number;
  readonly erpMs: number;
}

export interface SidesOptions {
  readonly seed: number;
  readonly clock: () => number;
  readonly offsets: ClockOffsets;
  readonly sender: WebhookSender;
  /** null: calls are not counted. */
  readonly quota: Quota | null;
}

export function openSides({ seed, clock, offsets, sender, quota }: SidesOptions): Sides {
  const nowMs = () => clock() + offsets.erpMs;
  const { marketplace, erp } = emptyDatabases();
  const options: SandboxOptions = {
    seed,
    now: () => (clock() + offsets.marketplaceMs) * 1_000,
    settings: { rate: quota === null ? null : { ...quota, countRejected: false, headline: 'tightest' } },
    webhooks: [
      { url: 'orders', types: ['order'], secret: WEBHOOK_SECRET },
      { url: 'products', types: ['product'], secret: WEBHOOK_SECRET },
    ],
    webhookSender: sender,
  };
  const market = openSandboxMarketplace(options, marketplace);
  const books = openBooks(erp, nowMs);
  const faults = createFaults();
  const control = createControl({ books, faults, clock: { offsetMs: 0 }, requests: [], setTokens: () => {} });
  const struck = new Map<string, number>();
  const callErp = erpCalls(books, faults, nowMs, struck);
  return {
    marketplace: {
      ...createActions(market.open),
      faults: market.parts.faults,
      useQuota: (calls) => market.parts.owners.takeForeign(FULL_ACCESS.owner, calls),
    },
    erp: { control, books, struck },
    tables: { marketplace, erp },
    hidden: new Set(),
    changed: () => ({
      orders: marketplace.all<Changed>(CHANGED_ORDERS),
      products: marketplace.all<Changed>(CHANGED_PRODUCTS),
    }),
    async call(side, request) {
      if (side === 'erp') {
        const reply = await callErp(request);
        return { ...reply, headers: { ...reply.headers, date: new Date(nowMs()).toUTCString() } };
      }
      const { method, target: url, headers, body } = request;
      const raw = { method, url, headers: lowerCased(headers), body };
      const admission = admit(market.parts, raw);
      const reply = applyCall(market.parts, raw, admission);
      const date = new Date(clock() + offsets.marketplaceMs).toUTCString();
      return { ...reply, headers: lowerCased({ ...admission.headers, ...reply.headers, date }) };
    },
  };
}

interface Databases {
  readonly marketplace: Sql;
  readonly erp: Sql;
}

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'";
let kept: Databases | null = null;

/** All stories of a process use the same databases: so their queries are compiled only once. */
function emptyDatabases(): Databases {
  kept ??= { marketplace: openSql(':memory:', MARKETPLACE_SCHEMA), erp: openSql(':memory:', ERP_SCHEMA) };
  for (const sql of [kept.marketplace, kept.erp]) {
    sql.transaction(() => {
      for (const { name } of sql.all<{ name: string }>(TABLES)) sql.run(`DELETE FROM "${name}"`);
    });
  }
  return kept;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

type Handler = (request: unknown, reply: unknown) => Promise<unknown>;

/** The routes of the sandbox's ERP, called without a server. */
function erpCalls(
  books: Books,
  faults: ReturnType<typeof createFaults>,
  nowMs: () => number,
  struck: Map<string, number>,
) {
  const routes: { method: string; pattern: RegExp; handler: Handler }[] = [];
  const app = {
    route: ({ method, url, handler }: { method: string; url: string; handler: Handler }) =>
      routes.push({ method, pattern: new RegExp(`^${url.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`), handler }),
  };
  const stopped = new AbortController().signal;
  addContractRoutes(app as unknown as FastifyInstance, { books, faults, nowMs, stopped });
  return async ({ method, target, headers, body }: Request): Promise<Reply> => {
    const { pathname, searchParams } = new URL(target, 'http://erp.invalid');
    const route = routes.find((one) => one.method === method && one.pattern.test(pathname));
    if (headers['authorization'] !== `Bearer ${ERP_TOKEN}`) return json(401, { error: 'the token is not known here' });
    if (route === undefined) return json(404, { error: `there is no ${method} ${pathname} here` });
    let status = 200;
    let sent: unknown;
    const reply = {
      code(code: number) {
        status = code;
        return reply;
      },
      header: () => reply,
      send(answer: unknown) {
        sent = answer;
        return reply;
      },
    };
    const request = {
      method,
      url: target,
      query: Object.fromEntries(searchParams),
      params: route.pattern.exec(pathname)?.groups ?? {},
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
      record: { faults: [] as string[] },
    };
    try {
      await route.handler(request, reply);
      for (const kind of request.record.faults) {
        const name = `${kind} ${pathname}`;
        struck.set(name, (struck.get(name) ?? 0) + 1);
      }
      return { ...json(status, sent), untrue: request.record.faults.length > 0 };
    } catch (error) {
      const { statusCode = 500, message } = error as Error & { statusCode?: number };
      return json(statusCode, { error: message });
    }
  };
}

function json(status: number, body: unknown): Reply {
  if (STATUS_CODES[status] === undefined) throw new Error(`no status ${status}`);
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
