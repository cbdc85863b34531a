import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { CallFailure, type FailureKind, type Outcome } from '../domain/failure.ts';
import { credentialOf, type Secret } from '../http/credential.ts';
import { type Answered, createPool, exchange, MAX_BODY_BYTES } from '../http/exchange.ts';
import { urgently } from '../urgent.ts';
import { readEntity, readList } from './answers.ts';
import { brokenFailure, type Called, notSent, statusFailure, tooLate } from './failures.ts';
import type { Operation } from './operations/operation.ts';
import { OPERATIONS, type OperationId } from './operations/table.ts';
import { isEmptyCollection, type ListPage } from './page.ts';
import { type Governor, type Grant, type Lane, readQuotaHeaders } from './quota.ts';
import {
  type Answer,
  applyOverride,
  type CallId,
  type ListId,
  type Override,
  type RequestOf,
  type WireRequest,
  writeRequest,
} from './request.ts';

export interface ClientSettings {
  /** The API is at {baseUrl}/api/v2. */
  readonly baseUrl: string;
  /** A date, sent with every call (spec 1, Versioning). */
  readonly version: string;
  /** Default `Service-Version`. */
  readonly versionHeader?: string | undefined;
  readonly auth:
    | { readonly scheme: 'app'; readonly key: Secret }
    | { readonly scheme: 'bearer'; readonly token: Secret };
  /** From the start of a call, after its wait for the quota, to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly governor: Governor;
  /** The connections to use; by default the client's own pool. They must neither retry nor follow redirects. */
  readonly dispatcher?: Dispatcher | undefined;
  /** The operations that differ in this deployment from the table of operations. */
  readonly overrides?: Partial<Record<OperationId, Override>> | undefined;
  /** Statuses of orders that this deployment spells differently, and the documents' spelling of each. */
  readonly statuses?: Readonly<Record<string, string>> | undefined;
  /** Called after the end of every call that the quota let through. */
  readonly onCall?: ((call: CallTrace) => void) | undefined;
}

export interface CallTrace {
  readonly operation: OperationId;
  readonly lane: Lane;
  /** null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly outcome: 'answered' | Outcome;
  readonly failure: FailureKind | null;
  /** The headers of the answer, with any status; null when there was no answer. */
  readonly headers: IncomingHttpHeaders | null;
}

export interface CallOptions {
  /** The lane of the work that the call is made for. */
  readonly lane: Lane;
  /** The lane of the call itself; the lane of the work when left out. */
  readonly callLane?: Lane | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for room in the quota; by default the longest wait that the governor allows. */
  readonly patienceMs?: number | undefined;
  /** Asked each time that the quota has let a write through: the decision may have become wrong during the wait. */
  readonly stillRight?: (() => Promise<boolean>) | undefined;
  /**
   * Called right before a write leaves, to put facts on record that have to be there first. A write that is then too late for its
   * place in the quota waits for another place, and the function is called again. When the function throws, nothing is sent.
   */
  readonly sending?: (() => Promise<void>) | undefined;
}

/** `stillRight` answered false: nothing was sent. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Every method throws only CallFailure, and Superseded to a caller with `stillRight`. A call is sent once: the caller decides
 * whether to repeat it.
 */
export interface MarketplaceClient {
  /** The answer is the object the server sent, checked against the table and otherwise untouched; null when empty. */
  call<Id extends CallId>(id: Id, request: RequestOf<Id>, options: CallOptions): Promise<Answer<Id>>;
  /** One page. Rows that do not fit are set aside in `misfits`. */
  list<Id extends ListId>(id: Id, request: RequestOf<Id>, options: CallOptions): Promise<ListPage<Answer<Id>>>;
  /** Waits for the calls in flight, each of which ends within the time-out. */
  close(): Promise<void>;
}

/** More connections than calls ever run at once: a granted call must not wait for a connection. */
const MAX_CONNECTIONS = 128;
const MAX_CONNECT_MS = 10_000;
/** How many places in the quota a call takes, when each place is over before the call can leave. */
const MAX_GRANTS = 3;

/** @throws Error for a setting that cannot work: an override with an unknown parameter, a key that fits no header. */
export function createMarketplaceClient(settings: ClientSettings): MarketplaceClient {
  const { governor, onCall } = settings;
  const { origin, pathname } = new URL(settings.baseUrl);
  const root = `${pathname.replace(/\/+$/, '')}/api/v2`;
  const credential = credentialOf(secretOf(settings.auth));
  const operations = overridden(settings.overrides ?? {});
  const connectTimeoutMs = Math.min(settings.timeoutMs, MAX_CONNECT_MS);
  const dispatcher = settings.dispatcher ?? createPool(origin, { connections: MAX_CONNECTIONS, connectTimeoutMs });
  const line: Line = { ...settings, origin, dispatcher, hasAnswered: false };

  const statuses = new Map(Object.entries(settings.statuses ?? {}));
  /** An order with its status as the documents spell it. */
  const respelled = ({ operation }: Called, answer: unknown): unknown => {
    const status = statuses.get(String(statusOf(answer)));
    return status === undefined || !operation.id.startsWith('orders.') ? answer : { ...(answer as object), status };
  };

  async function perform<Result>(
    id: OperationId,
    request: Parameters<typeof writeRequest>[2],
    options: CallOptions,
    read: (called: Called, answered: Answered) => Result | Promise<Result>,
  ): Promise<Result> {
    const operation = operations[id];
    const wire = writeRequest(operation, root, request);
    const url = origin + wire.target.replace(/\?.*$/, '');
    const assumed = operation.provenance === 'assumed' && settings.overrides?.[id]?.path === undefined;
    // A 404 at an assumed path means that the path is wrong. A list without pages has no first page.
    const isPaged = operation.paging === 'page' && !assumed && settings.overrides?.[id]?.path === undefined;
    const { page = 1 }: { page?: unknown } = request.query ?? {};
    const firstPage = isPaged && page === 1;
    const secret = await credential.secret();
    const called: Called = { operation, url, assumed, secret, firstPage };
    await letThrough(governor, called, options);
    const { signal } = options;
    const lane = laneOf(options);
    const startedMs = performance.now();
    let headers: IncomingHttpHeaders | null = null;
    const trace = (status: number | null, outcome: CallTrace['outcome'], failure: FailureKind | null) =>
      onCall?.({ operation: id, lane, status, durationMs: performance.now() - startedMs, outcome, failure, headers });
    try {
      const answered = await send(line, called, { wire, signal }, (heard) => {
        headers = heard;
      });
      const result = await read(called, answered);
      trace(answered.status, 'answered', null);
      return result;
    } catch (error) {
      if (error instanceof CallFailure) trace(error.status, error.outcome, error.kind);
      if (error instanceof CallFailure && error.kind === 'credentials') credential.refused(secret);
      throw error;
    }
  }

  return {
    call: <Id extends CallId>(id: Id, request: RequestOf<Id>, options: CallOptions) =>
      perform(
        id,
        request,
        options,
        async (called, answered) => respelled(called, await readEntity(called, answered)) as Answer<Id>,
      ),
    list: <Id extends ListId>(id: Id, request: RequestOf<Id>, options: CallOptions) =>
      perform(id, request, options, async (called, answered) => {
        const page = await readList(called, answered, request.query ?? {});
        return { ...page, rows: page.rows.map((row) => respelled(called, row)) } as ListPage<Answer<Id>>;
      }),
    close: async () => {
      if (settings.dispatcher === undefined) await dispatcher.close();
    },
  };
}

/** The parts of a client that every call uses. */
interface Line extends ClientSettings {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  /** True once a call has succeeded: base_url is right. */
  hasAnswered: boolean;
}

/** Sends once, and tells the governor. @throws CallFailure for anything but a success or an empty first page */
async function send(
  line: Line,
  called: Called,
  { wire: { payload, ...where }, signal }: { wire: WireRequest; signal: AbortSignal | undefined },
  hear: (headers: IncomingHttpHeaders) => void,
): Promise<Answered> {
  const { origin, dispatcher, governor, timeoutMs } = line;
  const fixed = fixedHeaders(line, called.secret);
  const headers = payload === null ? fixed : { ...fixed, 'content-type': payload.contentType };
  const exchanged = await exchange(
    dispatcher,
    { origin, ...where, headers, body: payload?.body ?? null },
    { timeoutMs, maxBodyBytes: MAX_BODY_BYTES, signal },
  );
  if (exchanged.kind === 'broken') throw brokenFailure(called, exchanged);
  hear(exchanged.headers);
  const quota = readQuotaHeaders(exchanged.status, exchanged.headers, Date.now());
  // A failed count of the quota does not lose the answer. The next `acquire` meets the same trouble and reports it.
  await governor.observe(quota).catch(() => undefined);
  if (exchanged.status < 300) line.hasAnswered = true;
  else if (!called.firstPage || !isEmptyCollection(exchanged, line.hasAnswered)) {
    throw statusFailure(called, exchanged, quota.retryAfterMs);
  }
  return exchanged;
}

/**
 * Waits for the quota, then for the questions and notes of a write before it leaves. When those took too long, all of it is done
 * again with another grant: nothing is sent after the date of its grant.
 */
async function letThrough(governor: Governor, called: Called, options: CallOptions): Promise<void> {
  const { stillRight, sending } = options;
  const { id, method } = called.operation;
  for (let grants = 1; ; grants += 1) {
    const grant = await acquire(governor, called, options);
    const mayLeave = async () => {
      if (stillRight !== undefined && !(await stillRight())) return false;
      await sending?.();
      return true;
    };
    if (method !== 'GET' && !(await urgently(mayLeave))) {
      await grant.giveBack();
      throw new Superseded(`${id} was not sent`);
    }
    if (!grant.isLate()) return;
    await grant.giveBack();
    if (grants === MAX_GRANTS) throw tooLate(called, grants);
  }
}

async function acquire(
  governor: Governor,
  called: Called,
  options: Pick<CallOptions, 'lane' | 'callLane' | 'signal' | 'patienceMs'>,
): Promise<Grant> {
  const { signal, patienceMs } = options;
  try {
    signal?.throwIfAborted();
    return await governor.acquire(laneOf(options), signal, patienceMs);
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    if (signal?.aborted) throw notSent(called, 'the call was stopped before its turn came.');
    throw notSent(called, `the quota could not be asked: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function laneOf({ lane, callLane }: Pick<CallOptions, 'lane' | 'callLane'>): Lane {
  return callLane ?? lane;
}

function statusOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
}

function overridden(overrides: NonNullable<ClientSettings['overrides']>): Record<OperationId, Operation> {
  const table: Record<OperationId, Operation> = { ...OPERATIONS };
  for (const [id, override] of Object.entries(overrides) as [OperationId, Override][]) {
    if (!Object.hasOwn(OPERATIONS, id)) throw new Error(`marketplace.operations.${id}: there is no such operation`);
    table[id] = applyOverride(table[id], override);
  }
  return table;
}

function secretOf(auth: ClientSettings['auth']): Secret {
  const [name, secret] = auth.scheme === 'app' ? ['key', auth.key] : ['token', auth.token];
  if (typeof secret === 'string' && !/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error(
      `marketplace.auth.${name} is empty or holds a space, a line break or another unprintable character`,
    );
  }
  return secret;
}

/** The headers of every call with this key or token (spec 1, Authentication and Versioning). */
export function fixedHeaders(
  {
    auth,
    version,
    versionHeader,
  }: Pick<ClientSettings, 'version' | 'versionHeader'> & { readonly auth: { readonly scheme: string } },
  secret: string,
): Record<string, string> {
  return {
    authorization: `${auth.scheme === 'app' ? 'App' : 'Bearer'} ${secret}`,
    accept: 'application/json',
    'user-agent': 'stockbridge',
    [versionHeader ?? 'Service-Version']: version,
  };
}
