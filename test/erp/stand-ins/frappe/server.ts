import { type Asked, type StatedCapabilities, serve, transactions } from '../serving.ts';
import { CONTROLLERS, updateItems, updateStatus } from './deeds.ts';
import { DOCTYPES } from './doctypes.ts';
import { erase, insert, update, withoutNulls } from './documents.ts';
import { answerOf, Refused, refuse, Undocumented } from './failures.ts';
import { list } from './query.ts';
import { type Doc, load, plain, type Site, text } from './site.ts';

/*
 * ERPNext 15 as its source describes it, for orders: frappe/api/v1.py (resources), frappe/handler.py (methods), frappe/auth.py
 * (validate_auth_via_api_keys), frappe/rate_limiter.py.
 */

export const USER = { key: 'a-key-4711', secret: 'a-secret-4711' };
/** The longest time between the stamp of a document and its commit. */
const LONGEST_TRANSACTION_MS = 20;

export interface Frappe {
  readonly url: string;
  readonly site: Site;
  /** Requests that no documentation permits. A test expects none. */
  readonly strange: readonly string[];
  /** A deed of a person, in a transaction of its own. */
  does(deed: (site: Site, at: Date) => void): Promise<void>;
  /** site_config.json, rate_limit: from now on so many requests are answered in a window of so many seconds. */
  limit(requests: number, windowSeconds: number): void;
  stop(): Promise<void>;
}

interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

export async function startFrappe(site: Site): Promise<Frappe> {
  const strange: string[] = [];
  const transact = transactions(site, LONGEST_TRANSACTION_MS);
  let limit: Limit | null = null;
  const used = new Map<number, number>();
  const limited = (): StatedCapabilities | null => {
    if (limit === null) return null;
    const window = Math.floor(Date.now() / limit.windowMs);
    const count = (used.get(window) ?? 0) + 1;
    used.set(window, count);
    if (count <= limit.requests) return null;
    const reset = String(Math.ceil(((window + 1) * limit.windowMs - Date.now()) / 1_000));
    const headers = { 'retry-after': reset, 'x-ratelimit-reset': reset, 'x-ratelimit-remaining': '0' };
    return { status: 429, type: 'text/plain; charset=utf-8', headers, body: 'Too Many Requests' };
  };
  const { url, stop } = await serve(async (asked) => {
    // gunicorn, limit_request_line: 4094
    if (asked.length > 4_094) return { status: 400, type: 'text/html', body: 'Request Line is too large' };
    const told = limited();
    if (told !== null) return told;
    try {
      checkUser(asked);
      return answer(await handle(site, transact, asked));
    } catch (error) {
      if (error instanceof Undocumented)
        strange.push(`${asked.method} ${asked.path}?${asked.query.toString()} ${error.message}`);
      return failure(asked, error);
    }
  });
  return {
    url,
    site,
    strange,
    does: (deed) => transact((at) => deed(site, at)),
    limit: (requests, windowSeconds) => {
      limit = { requests, windowMs: windowSeconds * 1_000 };
    },
    stop,
  };
}

/** frappe/auth.py: "token key:secret", or Basic with the same pair. */
function checkUser({ header }: Asked): void {
  const written = header('authorization');
  if (written === '') refuse('Login to access', 'PermissionError');
  const [scheme = '', token = ''] = written.split(' ');
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString() : token;
  const known = ['basic', 'token'].includes(scheme.toLowerCase()) && pair === `${USER.key}:${USER.secret}`;
  if (!known) refuse('', 'AuthenticationError');
}

/** A number of a Float, Currency or Percent field is a float of Python, which is written with a point: 12.0. */
function asPython(body: unknown): string {
  const floats = new Set(
    Object.values(DOCTYPES).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, { type }]) =>
        ['Float', 'Currency', 'Percent'].includes(type) ? [name] : [],
      ),
    ),
  );
  const marked = JSON.stringify(body, (key, value: unknown) =>
    typeof value === 'number' && floats.has(key) && Number.isInteger(value) ? `\u0001${value}.0\u0001` : value,
  );
  return marked.replaceAll(/"\\u0001(-?\d+\.0)\\u0001"/g, '$1');
}

const answer = (body: object): StatedCapabilities => {
  const { http_status_code: status = 200, ...rest } = body as { http_status_code?: number };
  return { status, body: asPython(rest) };
};

/** frappe/app.py, handle_exception: a method's failure is a page, unless the client accepts JSON. */
function failure({ path, header }: Asked, error: unknown): StatedCapabilities {
  if (error instanceof Undocumented) return { status: 500, type: 'text/plain', body: error.message };
  if (!(error instanceof Refused)) throw error;
  const { status, body } = answerOf(error);
  const isJson = header('accept').includes('application/json') || !path.startsWith('/api/method/');
  if (isJson) return { status, body: JSON.stringify(body) };
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!DOCTYPE html><html><body>${error.message}</body></html>`,
  };
}

type Transact = <T>(work: (at: Date) => T) => Promise<T>;

function handle(site: Site, transact: Transact, asked: Asked): Promise<object> | object {
  const path = asked.path.replace(/^\/api(\/v1)?\//, '');
  const [kind, first = '', ...rest] = path.split('/');
  if (path === asked.path || first === '') return refuse('', 'DoesNotExistError');
  if (kind === 'method') return method(site, transact, first, asked);
  if (kind !== 'resource') return refuse('', 'DoesNotExistError');
  const name = rest.join('/');
  if (name === '') {
    if (asked.method === 'GET') return { data: list(site, first, asked.query) };
    if (asked.method === 'POST')
      return transact((at) => ({ data: shown(insert(site, CONTROLLERS, first, json(asked), at)) }));
  } else {
    if (asked.method === 'GET') return { data: shown(load(site, first, name)) };
    if (asked.method === 'PUT')
      return transact((at) => ({ data: shown(update(site, CONTROLLERS, first, name, json(asked), at)) }));
    if (asked.method === 'POST') return transact((at) => ({ data: runMethod(site, first, name, asked, at) }));
    if (asked.method === 'DELETE')
      return transact(() => (erase(site, first, name), { data: 'ok', http_status_code: 202 }));
  }
  throw new Undocumented(`${asked.method} is not played here`);
}

/**
 * api/v1.py, execute_doc_method: a whitelisted method of the document. frappe/app.py, make_form_dict: the query is read only
 * where the body is not JSON.
 */
function runMethod(site: Site, doctype: string, name: string, asked: Asked, at: Date): Doc {
  const sent = asked.body === '' ? Object.fromEntries(asked.query) : json(asked);
  const docstatus = { submit: 1, cancel: 2 }[text(sent, 'run_method')];
  if (docstatus === undefined) refuse(`Method ${text(sent, 'run_method')} is not whitelisted`, 'PermissionError');
  if (load(site, doctype, name)['docstatus'] === docstatus && docstatus === 2) refuse('Cannot edit cancelled document');
  return shown(update(site, CONTROLLERS, doctype, name, { docstatus }, at));
}

const shown = (doc: Doc): Doc => structuredClone(withoutNulls(doc));

function json({ body, header }: Asked): Doc {
  if (!header('content-type').includes('application/json')) throw new Undocumented('a body that is not JSON');
  return JSON.parse(body) as Doc;
}

const UPDATE_ITEMS = 'erpnext.controllers.accounts_controller.update_child_qty_rate';
const UPDATE_STATUS = 'erpnext.selling.doctype.sales_order.sales_order.update_status';

/** The whitelisted functions. frappe/handler.py: the answer is "message"; nothing stands there when a function returns nothing. */
function method(site: Site, transact: Transact, name: string, asked: Asked): Promise<object> | object {
  if (name === 'ping' || name === 'frappe.ping') return { message: 'pong' };
  if (name === 'frappe.auth.get_logged_user') return { message: 'bridge@erp.example' };
  if (name === 'frappe.client.get_time_zone') return { message: { time_zone: 'Asia/Kolkata' } };
  if (name === 'frappe.utils.change_log.get_versions')
    return {
      message: {
        frappe: { title: 'Frappe Framework', version: '15.30.0' },
        erpnext: { title: 'ERPNext', version: '15.27.0' },
      },
    };
  if (name === 'frappe.client.get_count') {
    const query = new URLSearchParams({ limit_page_length: '0', filters: asked.query.get('filters') ?? '[]' });
    return { message: list(site, asked.query.get('doctype') ?? '', query).length };
  }
  // frappe/app.py, sync_database: what a GET has changed is rolled back.
  if (asked.method !== 'POST') throw new Undocumented(`${name} is called by ${asked.method}`);
  const sent = json(asked);
  if (name === 'frappe.client.get_list') return { message: list(site, text(sent, 'doctype'), asQuery(sent)) };
  return transact((at) => called(site, name, sent, at));
}

/** frappe/client.py, get_list: the same list, asked for in a body. */
function asQuery(sent: Doc): URLSearchParams {
  const { doctype: _doctype, ...asked } = sent;
  const one = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : plain(value));
  return new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, one(value)]));
}

function called(site: Site, name: string, sent: Doc, at: Date): object {
  if (name === UPDATE_ITEMS) {
    if (typeof sent['trans_items'] !== 'string')
      refuse('the JSON object must be str, bytes or bytearray, not list', 'TypeError');
    const order = load(site, text(sent, 'parent_doctype'), text(sent, 'parent_doctype_name'));
    if (order['docstatus'] !== 1) throw new Undocumented('Update Items is a button of submitted orders');
    updateItems(site, order, JSON.parse(sent['trans_items']) as Doc[], at);
    return {};
  }
  if (name === UPDATE_STATUS) {
    updateStatus(site, text(sent, 'name'), text(sent, 'status'), at);
    return {};
  }
  if (name === 'frappe.client.cancel')
    return {
      message: shown(update(site, CONTROLLERS, text(sent, 'doctype'), text(sent, 'name'), { docstatus: 2 }, at)),
    };
  if (name === 'frappe.client.submit') {
    const doc = (typeof sent['doc'] === 'string' ? JSON.parse(sent['doc']) : sent['doc']) as Doc;
    const submitted = { ...doc, docstatus: 1 };
    return { message: shown(update(site, CONTROLLERS, text(doc, 'doctype'), text(doc, 'name'), submitted, at)) };
  }
  return refuse(`Failed to get method for command ${name}`, 'ValidationError');
}
