import { constants, createVerify, type KeyObject, randomUUID } from 'node:crypto';
import { type Asked, type StatedCapabilities, serve, transactions } from '../serving.ts';
import {
  type Account,
  amountOf,
  change,
  createOrder,
  deleteOrder,
  type Order,
  orderOf,
  statusOf,
  totalOf,
} from './account.ts';
import { answerOf, Refused, refuse, Undocumented } from './failures.ts';
import { suiteql } from './suiteql.ts';

/*
 * NetSuite's REST web services: online help, "POST Request to the Token Endpoint" (section_162755359851), "The Request Token Structure"
 * (section_162790605110), "Executing SuiteQL Queries Through REST Web Services" (section_157909186990), "Concurrency Governance"
 * (subsect_1559222360), and the use cases of sales orders.
 */

const TOKEN = '/services/rest/auth/oauth2/v1/token';
const LONGEST_TRANSACTION_MS = 20;
const HOUR_S = 3_600;

/** The application as it is registered: a client with a certificate. */
export interface Client {
  readonly id: string;
  readonly certificateId: string;
  readonly publicKey: KeyObject;
}

export interface NetSuite {
  readonly url: string;
  readonly tokenUrl: string;
  readonly account: Account;
  readonly strange: readonly string[];
  does(deed: (account: Account, at: Date) => void): Promise<void>;
  stop(): Promise<void>;
}

interface Settings {
  readonly client: Client;
  /** The requests that the account answers at once. */
  readonly concurrency: number;
}

export async function startNetSuite(account: Account, { client, concurrency }: Settings): Promise<NetSuite> {
  const strange: string[] = [];
  const tokens = new Set<string>();
  const transact = transactions(account, LONGEST_TRANSACTION_MS);
  let running = 0;
  const { url, stop } = await serve(async (asked) => {
    if (asked.path === TOKEN) return grant(asked, client, `${url}${TOKEN}`, tokens);
    running += 1;
    try {
      if (running > concurrency)
        refuse(429, 'CONCURRENCY_LIMIT_EXCEEDED', 'Concurrent request limit exceeded. Request blocked.');
      const [scheme, token = ''] = asked.header('authorization').split(' ');
      if (scheme !== 'Bearer' || !tokens.has(token)) refuse(401, 'INVALID_LOGIN', 'Invalid login attempt.');
      return await handle({ account, transact, url }, asked);
    } catch (error) {
      if (error instanceof Refused) return said(error.status, answerOf(error));
      strange.push(`${asked.method} ${asked.path}?${asked.query.toString()} ${asked.body}: ${String(error)}`);
      return { status: 500, type: 'text/plain', body: String(error) };
    } finally {
      running -= 1;
    }
  });
  return {
    url,
    tokenUrl: `${url}${TOKEN}`,
    account,
    strange,
    does: (deed) => transact((at) => deed(account, at)),
    stop,
  };
}

const said = (status: number, body: unknown): StatedCapabilities => ({
  status,
  type: 'application/vnd.oracle.resource+json; type=singular; charset=UTF-8',
  body: JSON.stringify(body),
});

const part = (text = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

/** The assertion of a client: signed by PS256, for this token endpoint, with a life of less than an hour. */
function grant(
  { method, body }: Asked,
  { id, certificateId, publicKey }: Client,
  endpoint: string,
  tokens: Set<string>,
): StatedCapabilities {
  const form = new URLSearchParams(body);
  const assertion = form.get('client_assertion') ?? '';
  const wrong = (why: string) => said(400, { error: 'invalid_request', error_description: why });
  if (method !== 'POST' || form.get('grant_type') !== 'client_credentials') return wrong('grant_type');
  if (form.get('client_assertion_type') !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    return wrong('client_assertion_type');
  const [head, claims, signature = ''] = assertion.split('.');
  const [{ alg, kid, typ }, { iss, scope, aud, exp, iat }] = [part(head), part(claims)];
  if (typ !== 'JWT' || alg !== 'PS256' || kid !== certificateId) return wrong('header of the token');
  const scopes = Array.isArray(scope) ? scope : [scope];
  if (iss !== id || aud !== endpoint || !scopes.includes('rest_webservices')) return wrong('payload of the token');
  const [until, since] = [Number(exp), Number(iat)];
  if (until - since >= HOUR_S || until * 1_000 < Date.now()) return wrong('time of the token');
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  if (!createVerify('sha256').update(`${head}.${claims}`).verify(key, signature, 'base64url'))
    return wrong('signature');
  const token = randomUUID();
  tokens.add(token);
  return said(200, { access_token: token, expires_in: String(HOUR_S), token_type: 'Bearer' });
}

interface Place {
  readonly account: Account;
  readonly transact: <T>(work: (at: Date) => T) => Promise<T>;
  readonly url: string;
}

function handle(place: Place, asked: Asked): Promise<StatedCapabilities> | StatedCapabilities {
  const { path, method } = asked;
  if (path === '/services/rest/query/v1/suiteql') return query(place, asked);
  const [, type = '', id] = /^\/services\/rest\/record\/v1\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (type === '') return refuse(404, 'NOT_FOUND', 'The requested resource does not exist.');
  if (type !== 'salesOrder') throw new Undocumented(`${method} ${type} is not played here`);
  const { account, transact, url } = place;
  const at = (order: Order): string => `${url}/services/rest/record/v1/salesOrder/${order.id}`;
  const replaced = (asked.query.get('replace') ?? '').split(',').filter((name) => name !== '');
  if (method === 'POST' && id === undefined)
    return transact((time) => {
      const order = createOrder(account, json(asked), replaced, time);
      return { status: 204, headers: { location: at(order) } };
    });
  if (id === undefined) throw new Undocumented(`${method} of all sales orders is not played here`);
  if (method === 'GET') return said(200, record(account, orderOf(account, id), asked.query));
  if (method === 'DELETE')
    return transact(() => {
      deleteOrder(account, orderOf(account, id));
      return { status: 204 };
    });
  if (method !== 'PATCH') return refuse(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed.`);
  return transact((time) => {
    const order = orderOf(account, id);
    change(account, order, json(asked), replaced, time);
    return { status: 204, headers: { location: at(order) } };
  });
}

function json({ body, header }: Asked): Record<string, unknown> {
  if (!/^application\/(vnd\.oracle\.resource\+)?json/.test(header('content-type')))
    return refuse(400, 'INVALID_HEADER', "Invalid value for the header 'Content-Type'.");
  return JSON.parse(body) as Record<string, unknown>;
}

function query({ account, url }: Place, asked: Asked): StatedCapabilities {
  if (asked.method !== 'POST') return refuse(405, 'METHOD_NOT_ALLOWED', 'SuiteQL is asked for by POST.');
  if (asked.header('prefer') !== 'transient')
    return refuse(400, 'INVALID_HEADER', "Invalid value for the header 'Prefer'. The value 'transient' is expected.");
  for (const name of asked.query.keys())
    if (name !== 'limit' && name !== 'offset')
      refuse(400, 'INVALID_PARAMETER', `Invalid query parameter name. ${name}`);
  const { q } = json(asked);
  if (typeof q !== 'string') return refuse(400, 'INVALID_CONTENT', 'The body needs "q".');
  const page = suiteql(account, q, asked.query);
  return said(200, { links: [{ rel: 'self', href: `${url}${asked.path}` }], ...page });
}

/** The record, with its lines where they are asked for by expandSubResources. */
function record(account: Account, order: Order, asked: URLSearchParams): object {
  for (const name of asked.keys())
    if (!['expandSubResources', 'fields'].includes(name))
      refuse(400, 'INVALID_PARAMETER', `Invalid query parameter name. ${name}`);
  const name = (id: string) => account.state.items.find((item) => item.id === id)?.itemId;
  const items = order.lines.map((line) => ({
    line: line.line,
    item: { id: line.item, refName: name(line.item) },
    quantity: line.quantity,
    rate: line.rate,
    amount: amountOf(line),
    isClosed: line.closed,
    quantityFulfilled: line.fulfilled,
    description: line.description,
  }));
  const expands = asked.get('expandSubResources') === 'true';
  return {
    id: order.id,
    tranId: order.tranId,
    ...(order.externalId === null ? {} : { externalId: order.externalId }),
    ...(order.otherRefNum === null ? {} : { otherRefNum: order.otherRefNum }),
    entity: { id: order.entity },
    currency: { id: order.currency },
    orderStatus: { id: statusOf(order) },
    shippingCost: order.shippingCost,
    discountTotal: order.discountRate,
    total: totalOf(order).toNumber(),
    createdDate: order.created.toISOString(),
    lastModifiedDate: order.modified.toISOString(),
    item: expands ? { items, totalResults: items.length } : { links: [] },
  };
}
