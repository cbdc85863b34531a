import { randomUUID } from 'node:crypto';
import { type Asked, type StatedCapabilities, serve, transactions } from '../serving.ts';
import { ENTITIES } from './entities.ts';
import { answerOf, Refused, refuse, Undocumented } from './failures.ts';
import { linesOfInvoice } from './invoices.ts';
import { checkOptions, query, type Row, selected } from './odata.ts';
import {
  type Business,
  byId,
  changeLine,
  changeOrder,
  createLine,
  createOrder,
  deleteLine,
  deleteOrder,
  linesOf,
} from './sales.ts';

/*
 * Business Central online, API v2.0: dev-itpro/api-reference/v2.0/endpoints-apis-for-dynamics.md, dynamics-rate-limits.md,
 * dev-itpro/administration/operational-limits-online.md, and the pages below api-reference/v2.0/api. Tokens are those of Microsoft Entra
 * ID for a client with a secret (dev-itpro/administration/automation-apis-using-s2s-authentication.md).
 */

export const CLIENT = { id: 'client-4711', secret: 'client-secret-4711' };
export const SCOPE = 'https://api.businesscentral.dynamics.com/.default';
const TENANT = 'contoso';
const ENVIRONMENT = 'sandbox';
const ROOT = `/v2.0/${TENANT}/${ENVIRONMENT}/api/v2.0`;
const LONGEST_TRANSACTION_MS = 20;
const MOST_ROWS = 20_000;

export interface Central {
  readonly url: string;
  readonly tokenUrl: string;
  readonly environment: { readonly tenant: string; readonly environment: string };
  readonly company: string;
  readonly business: Business;
  readonly strange: readonly string[];
  does(deed: (business: Business, at: Date) => void): Promise<void>;
  /** Tokens that were given out are not accepted any more. */
  expireTokens(): void;
  /** From now on so many requests are answered in five minutes. */
  limit(requests: number): void;
  /** The most rows of a page that a client has not asked for. The service may lower it. */
  readonly pageSize: number;
  stop(): Promise<void>;
}

export async function startCentral(business: Business, pageSize = MOST_ROWS): Promise<Central> {
  const strange: string[] = [];
  const tokens = new Set<string>();
  const transact = transactions(business, LONGEST_TRANSACTION_MS);
  let left = Number.POSITIVE_INFINITY;
  const { url, stop } = await serve(async (asked) => {
    if (asked.path === `/${TENANT}/oauth2/v2.0/token`) return grant(asked, tokens);
    left -= 1;
    // The pages name the status, and no header with a time to wait.
    if (left < 0)
      return said(429, { error: { code: 'Application_TooManyRequests', message: 'Too many requests reached.' } });
    try {
      const [scheme, token = ''] = asked.header('authorization').split(' ');
      if (scheme !== 'Bearer' || !tokens.has(token))
        refuse('Authentication_InvalidCredentials', 'The server has rejected the client credentials.');
      return await handle({ business, transact, pageSize, root: `${url}${ROOT}` }, asked);
    } catch (error) {
      if (error instanceof Refused) return said(error.status, answerOf(error));
      strange.push(`${asked.method} ${asked.path}?${asked.query.toString()} ${String(error)}`);
      return { status: 500, type: 'text/plain', body: String(error) };
    }
  });
  return {
    url,
    tokenUrl: `${url}/${TENANT}/oauth2/v2.0/token`,
    environment: { tenant: TENANT, environment: ENVIRONMENT },
    company: String(business.state.companies[0]?.['id']),
    business,
    strange,
    does: (deed) => transact((at) => deed(business, at)),
    expireTokens: () => tokens.clear(),
    limit: (requests) => {
      left = requests;
    },
    pageSize,
    stop,
  };
}

const said = (status: number, body: unknown): StatedCapabilities => ({
  status,
  type: 'application/json; odata.metadata=minimal',
  body: JSON.stringify(body),
});

/** learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function grant({ method, body }: Asked, tokens: Set<string>): StatedCapabilities {
  const form = new URLSearchParams(body);
  const known = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
  if (method !== 'POST' || form.get('grant_type') !== 'client_credentials' || form.get('scope') !== SCOPE)
    return said(400, { error: 'invalid_request', error_description: 'AADSTS900144: The request body is wrong.' });
  if (!known)
    return said(401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' });
  const token = randomUUID();
  tokens.add(token);
  return said(200, { token_type: 'Bearer', expires_in: 3_599, ext_expires_in: 3_599, access_token: token });
}

interface Place {
  readonly business: Business;
  readonly transact: <T>(work: (at: Date) => T) => Promise<T>;
  readonly pageSize: number;
  readonly root: string;
}

/** The parts of a path: "salesOrders(id)/salesOrderLines" are two, each with its id or null. */
function segmentsOf(path: string): { readonly set: string; readonly id: string | null }[] {
  return path.split('/').map((part) => {
    const [, set = '', id = null] = /^([\w.]+)(?:\(([^)]*)\))?$/.exec(part) ?? [];
    return { set, id };
  });
}

async function handle(place: Place, asked: Asked): Promise<StatedCapabilities> {
  const { business, root } = place;
  if (!asked.path.startsWith(`${ROOT}/`))
    return refuse('BadRequest_ResourceNotFound', 'Resource not found for the segment.');
  const [first, second, third, ...more] = segmentsOf(asked.path.slice(ROOT.length + 1));
  const lost = (set: string) => refuse('BadRequest_NotFound', `Resource not found for the segment '${set}'.`);
  if (first?.set !== 'companies' || more.length > 0) return lost(first?.set ?? '');
  if (first.id === null || second === undefined)
    return read(place, asked, { set: 'companies', id: first.id, rows: business.state.companies });
  if (first.id !== business.state.companies[0]?.['id'])
    return refuse('Internal_CompanyNotFound', 'The company does not exist.');
  const at = `${root}/companies(${first.id})`;
  if (second.set === 'salesOrders' && second.id !== null && third !== undefined) {
    const order = byId(business.state.salesOrders, second.id);
    if (third.set !== 'salesOrderLines') return lost(third.set);
    if (asked.method !== 'GET') return writeLine(place, asked, order, third.id);
    return read(place, asked, { set: third.set, id: third.id, rows: linesOf(business, order) });
  }
  const rows = (business.state as unknown as Record<string, Row[]>)[second.set];
  if (ENTITIES[second.set] === undefined || rows === undefined || third !== undefined) return lost(second.set);
  if (asked.method === 'GET') return read({ ...place, root: at }, asked, { ...second, rows });
  if (second.set === 'salesOrders') return writeOrder(place, asked, second.id);
  if (second.set !== 'salesOrderLines') throw new Undocumented(`${asked.method} ${second.set} is not played here`);
  const line = second.id === null ? json(asked) : byId(business.state.salesOrderLines, second.id);
  return writeLine(place, asked, byId(business.state.salesOrders, line['documentId']), second.id);
}

function read(
  place: Place,
  asked: Asked,
  { set, id, rows }: { set: string; id: string | null; rows: readonly Row[] },
): StatedCapabilities {
  if (asked.method !== 'GET')
    return refuse('BadRequest_MethodNotAllowed', `'${asked.method}' requests for '${set}' are not allowed.`);
  if (id !== null) {
    checkOptions(asked.query);
    return said(200, {
      '@odata.context': `${place.root}/$metadata#${set}/$entity`,
      ...shown(place, asked, set, byId(rows, id)),
    });
  }
  const [, preferred] = /odata\.maxpagesize=(\d+)/.exec(asked.header('prefer')) ?? [];
  const size = Math.min(Number(preferred ?? place.pageSize), place.pageSize, MOST_ROWS);
  const page = query(set, asked.query, rows, size);
  const more = new URLSearchParams(asked.query);
  more.set('aid', 'FIN');
  more.set('$skiptoken', String(page.last));
  return said(200, {
    '@odata.context': `${place.root}/$metadata#${set}`,
    ...(page.count === undefined ? {} : { '@odata.count': page.count }),
    value: page.rows.map((row) => shown(place, asked, set, row)),
    ...(page.last === undefined
      ? {}
      : { '@odata.nextLink': `${new URL(place.root).origin}${asked.path}?${more.toString()}` }),
  });
}

/** An entity, with the lines of an order or an invoice where "$expand" names them. */
function shown({ business }: Place, asked: Asked, set: string, row: Row): Row {
  const expand = asked.query.get('$expand');
  if (expand === null) return selected(set, asked.query, row);
  const of = { salesOrders: linesOf, salesInvoices: linesOfInvoice }[set];
  const lines = `${set.replace(/s$/, '')}Lines`;
  if (of === undefined || expand !== lines) throw new Undocumented(`$expand=${expand} of ${set} is not played here`);
  const expanded = of(business, row).map((line) => selected(lines, new URLSearchParams(), line));
  return { ...selected(set, asked.query, row), [lines]: expanded };
}

function json({ body, header }: Asked): Row {
  if (!header('content-type').startsWith('application/json')) return refuse('BadRequest', 'Invalid Request Body');
  return JSON.parse(body) as Row;
}

/** The pages of PATCH and DELETE: If-Match is required, and another tag than the present one means that somebody was faster. */
function checkTag({ header }: Asked, row: Row): void {
  const tag = header('if-match');
  if (tag === '')
    refuse(
      'BadRequest_InvalidToken',
      'Could not validate the client concurrency token required by the service. Please provide a valid token in the client request.',
    );
  if (tag !== '*' && tag !== row['@odata.etag'])
    refuse('Request_EntityChanged', 'Another user has already changed the record.');
}

function writeOrder(place: Place, asked: Asked, id: string | null): Promise<StatedCapabilities> {
  const { business, transact } = place;
  return transact((at) => {
    if (asked.method === 'POST' && id === null) {
      const order = createOrder(business, json(asked), at);
      return said(201, {
        '@odata.context': `${place.root}/$metadata#salesOrders/$entity`,
        ...selected('salesOrders', new URLSearchParams(), order),
      });
    }
    const order = byId(business.state.salesOrders, id);
    if (asked.method !== 'PATCH' && asked.method !== 'DELETE')
      return refuse(
        'BadRequest_MethodNotAllowed',
        `'${asked.method}' requests for 'salesOrders' of EdmType 'Entity' are not allowed.`,
      );
    checkTag(asked, order);
    if (asked.method === 'DELETE') {
      deleteOrder(business, order);
      return { status: 204 };
    }
    const sent = json(asked);
    if (sent['salesOrderLines'] !== undefined) refuse('BadRequest', 'Deep patching is not supported.');
    changeOrder(business, order, sent, at);
    return said(200, selected('salesOrders', new URLSearchParams(), order));
  });
}

function writeLine(
  { business, transact }: Place,
  asked: Asked,
  { id: of }: Row,
  id: string | null,
): Promise<StatedCapabilities> {
  return transact((at) => {
    const order = byId(business.state.salesOrders, of);
    const show = (status: number, line: Row): StatedCapabilities =>
      said(status, selected('salesOrderLines', new URLSearchParams(), line));
    if (asked.method === 'POST' && id === null) return show(201, createLine(business, order, json(asked), at));
    const line = byId(linesOf(business, order), id);
    if (asked.method !== 'PATCH' && asked.method !== 'DELETE') throw new Undocumented(`${asked.method} of a line`);
    checkTag(asked, line);
    if (asked.method === 'DELETE') {
      deleteLine(business, order, line, at);
      return { status: 204 };
    }
    changeLine(business, order, line, json(asked), at);
    return show(200, line);
  });
}
