import { parseJson } from '../../http/json.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { type Credential, checkPermission, type Keys } from './auth.ts';
import type { Answer, Call, RawCall } from './call.ts';
import type { FaultOf, Faults, Occasion } from './faults.ts';
import type { Owners } from './rate-window.ts';
import type { Settings } from './settings.ts';
import { inTheirPlaces, type Routed, validateCall } from './validation.ts';
import { type Fields, joinObjects, Refusal, refuse } from './wire-values.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The API version; null: the call was refused before. */
  readonly version: string | null;
}

/** What the gateway decides before the marketplace handles the call. */
export interface Admission {
  readonly routed: Routed;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: Credential | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Refusal | null;
}

export interface ApiParts {
  readonly keys: Pick<Keys, 'find'>;
  readonly settings: () => Settings;
  readonly route: (method: string, path: string) => Routed;
  readonly owners: Owners;
  readonly faults: Faults;
  /** Runs a handler in one transaction. */
  readonly perform: (operation: Operation, call: Call) => Answer;
}

/**
 * Spec 1, Authentication and Rate limits: identifies the caller and checks the quota, which every answer's headers
 * show.
 */
export function admit(parts: ApiParts, raw: RawCall): Admission {
  const { pathname: path, searchParams: query } = new URL(raw.url, 'http://marketplace.invalid');
  const routed = parts.route(raw.method, path);
  const key = parts.keys.find(raw.headers['authorization']);
  const rate = parts.owners.take(key?.owner ?? null);
  const gate = { routed, path, query, key };
  if (!key) {
    const headers = { ...rate.headers, 'WWW-Authenticate': 'App' };
    return { ...gate, headers, refusal: refuse(401, 'Authentication credentials were not provided or are wrong.') };
  }
  if (!rate.allowed) return { ...gate, headers: rate.headers, refusal: refuse(429, 'Request was throttled.') };
  return { ...gate, headers: rate.headers, refusal: null };
}

/** Spec 1, Versioning. @throws Refusal 400 for an unknown version */
function versionOf(settings: Settings, headers: RawCall['headers']): string {
  const wanted = headers[settings.versionHeader.toLowerCase()] ?? settings.versions[0] ?? '';
  if (!settings.versions.includes(wanted)) {
    throw refuse(
      400,
      `${settings.versionHeader} ${wanted} is no known version; known: ${settings.versions.join(', ')}.`,
    );
  }
  return wanted;
}

/** Validates and applies an admitted call. */
export function applyCall(parts: ApiParts, raw: RawCall, admission: Admission): Reply {
  const settings = parts.settings();
  let version: string | null = null;
  try {
    if (admission.refusal) throw admission.refusal;
    if (admission.routed.kind === 'no-slash' && settings.trailingSlash === 'redirect') {
      const { path, query } = admission;
      const to = `${path}/${query.size > 0 ? `?${query.toString()}` : ''}`;
      return { status: 301, headers: { Location: to }, body: '', version };
    }
    const { operation, ...sent } = routedOperation(raw, admission);
    const pagedAs = settings.operations[operation.id]?.paging;
    const { params, query } = inTheirPlaces(operation, { params: sent.params, query: admission.query, pagedAs });
    version = versionOf(settings, raw.headers);
    if (admission.key) checkPermission(admission.key, operation.permission, settings.forbiddenStatus);
    const call = understood(parts, admission, validateCall(operation, { params, query, raw }, settings));
    const answer = parts.perform(operation, call);
    return { ...shapeReply(parts, raw, admission, { operation, call, answer }), version };
  } catch (error) {
    if (error instanceof Refusal) return { ...refusalReply(error, settings), version };
    throw error;
  }
}

/** The call without fields that a fault ignores. */
function understood(parts: ApiParts, admission: Admission, call: Call): Call {
  const ignored = parts.faults.strike(['field-ignored'], occasionOf(admission));
  if (ignored === null) return call;
  const { [ignored.field]: _, ...body } = call.body;
  return { ...call, body };
}

function routedOperation(raw: RawCall, { routed, path }: Admission) {
  switch (routed.kind) {
    case 'found':
      return routed;
    case 'no-slash':
      throw refuse(400, `The path must end with a slash: ${path}/`);
    case 'wrong-method':
      throw refuse(405, `Method "${raw.method}" not allowed; allowed: ${routed.allowed.join(', ')}.`);
    case 'unknown':
      throw refuse(404, 'Not found.');
  }
}

function shapeReply(
  parts: ApiParts,
  raw: RawCall,
  admission: Admission,
  done: { operation: Operation; call: Call; answer: Answer },
): Omit<Reply, 'version'> {
  const { operation, call, answer } = done;
  const headers = { 'Content-Type': 'application/json' };
  if (answer.kind === 'entity') {
    const status = answer.status ?? operation.successStatus;
    if (answer.json === null) return { status, headers: {}, body: '' };
    const sparse = operation.method === 'GET' ? null : parts.faults.strike(['sparse-answer'], occasionOf(admission));
    const body = sparse ? sparseAnswer(answer.json, sparse.keep, operation.method === 'POST') : answer.json;
    return { status, headers, body };
  }
  if (operation.paging === 'array') return { status: 200, headers, body: `[${answer.rows.join(',')}]` };
  const { limit, offset } = call.window;
  if (offset > 0 && offset >= answer.count && operation.paging === 'page') throw refuse(404, 'Invalid page.');
  const address = `http://${raw.headers['host'] ?? 'localhost'}${admission.path}`;
  const pageUrl = (at: number) => `${address}?${pageQuery(admission.query, at, limit)}`;
  const honestNext = offset + limit < answer.count ? pageUrl(offset + limit) : null;
  const lie = parts.faults.strike(['next-lies'], occasionOf(admission));
  const lies = {
    'other-host': `http://elsewhere.invalid${admission.path}?page=2`,
    'same-page': pageUrl(offset),
    null: null,
  };
  // Spec 2, limit/offset lists: count and results.
  const own = operation.paging === 'offset' ? {} : answer.envelope;
  if (own !== undefined) return { status: 200, headers, body: page(answer, own) };
  const envelope = {
    next: lie ? lies[lie.next] : honestNext,
    previous: offset > 0 ? pageUrl(Math.max(0, offset - limit)) : null,
  };
  return { status: 200, headers, body: page(answer, envelope) };
}

function page({ count, rows }: { readonly count: number; readonly rows: readonly string[] }, envelope: Fields): string {
  return joinObjects({ count }, envelope, `{"results":[${rows.join(',')}]}`);
}

function pageQuery(query: URLSearchParams, offset: number, limit: number): string {
  const wanted = new URLSearchParams(query);
  wanted.set('page', String(Math.floor(offset / limit) + 1));
  return wanted.toString();
}

function refusalReply(refusal: Refusal, settings: Settings): Omit<Reply, 'version'> {
  const { detail } = refusal.body;
  const text = Object.entries(refusal.body)
    .map(([field, messages]) => `${field}: ${[messages].flat().join(' ')}`)
    .join('; ');
  const body = settings.errorBody === 'detail' && detail === undefined ? { detail: text } : refusal.body;
  return { status: refusal.status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

export function occasionOf({ routed }: Admission): Occasion {
  if (routed.kind !== 'found') return {};
  const family = routed.operation.id.split('.')[0];
  const operation = routed.operation.id;
  return family === 'orders' || family === 'products' ? { operation, entity: family } : { operation };
}

const NAMES = ['id', 'number'];
const INVENTORY = ['quantity', 'reserved_qty', 'available_inventory'];

/** Spec 1, Endpoints: a write returns only the inventory fields; a create also the id. */
function sparseAnswer(json: string, keep: FaultOf<'sparse-answer'>['keep'], isCreate: boolean): string {
  const kept = keep === 'id' ? NAMES : isCreate ? [...NAMES, ...INVENTORY] : INVENTORY;
  return JSON.stringify(
    Object.fromEntries(Object.entries(parseJson(json) as Fields).filter(([name]) => kept.includes(name))),
  );
}
