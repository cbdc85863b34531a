import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { CallFailure, type FailureKind, type Outcome } from '../domain/failure.ts';
import { type Credential, credentialOf, renewedSecret, type Secret } from '../http/credential.ts';
import { type Answered, createPool, exchange, MAX_BODY_BYTES } from '../http/exchange.ts';
import { admitCall, type CallOptions, laneOf } from './admit-call.ts';
import { readEntity, readList } from './answers.ts';
import type { Dialect } from './dialect.ts';
import { withAmounts } from './entities/order-amounts.ts';
import { brokenFailure, type Called, statusFailure } from './failures.ts';
import type { Override } from './operations/moved.ts';
import { OPERATIONS, type OperationId } from './operations/table.ts';
import { isEmptyCollection, type ListPage } from './page.ts';
import { type Governor, type Lane, readQuotaHeaders } from './quota.ts';
import {
  type Answer,
  applyOverride,
  type CallId,
  type Deployed,
  type ListId,
  type RequestOf,
  rootOf,
  type WireRequest,
  writeRequest,
} from './request.ts';

type Auth = { readonly scheme: 'app'; readonly key: Secret } | { readonly scheme: 'bearer'; readonly token: Secret };

export interface ClientSettings {
  readonly baseUrl: string;
  readonly version: string;
  /** Default: `Service-Version`. */
  readonly versionHeader?: string | undefined;
  readonly auth: Auth;
  /** Credentials of single operations, instead of `auth`. */
  readonly auths?: Partial<Record<OperationId, Auth>> | undefined;
  /** The path below baseUrl of the operations of spec 2; default /api/v2. */
  readonly referencePrefix?: string | undefined;
  /** From sending, after the wait for the quota, to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly governor: Governor;
  /** Default: a pool of the client. It must neither retry nor follow redirects. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly overrides?: Partial<Record<OperationId, Override>> | undefined;
  readonly dialect?: Dialect | undefined;
  /** Called after every call that the quota admitted. */
  readonly onCall?: ((call: CallTrace) => void) | undefined;
}

export interface CallTrace {
  readonly operation: OperationId;
  readonly lane: Lane;
  readonly status: number | null;
  readonly durationMs: number;
  readonly outcome: 'answered' | Outcome;
  readonly failure: FailureKind | null;
  /** null: no answer. */
  readonly headers: IncomingHttpHeaders | null;
}

/**
 * Methods throw only CallFailure, and Superseded if `revalidate` is given. Each call is sent once; only one with a
 * refused token is sent again, with the next token. Any other repetition is the caller's decision.
 */
export interface MarketplaceClient {
  /** The object that the server sent, with our field names, checked against the table; null: an empty answer. */
  call<Id extends CallId>(id: Id, request: RequestOf<Id>, options: CallOptions): Promise<Answer<Id>>;
  /** Invalid rows are set aside in `invalidRows`. */
  list<Id extends ListId>(id: Id, request: RequestOf<Id>, options: CallOptions): Promise<ListPage<Answer<Id>>>;
  /** Waits for the calls in flight. Each ends within its timeout. */
  close(): Promise<void>;
}

/** More than calls ever run at once, because an admitted call must not wait for a connection. */
const MAX_CONNECTIONS = 128;
const MAX_CONNECT_MS = 10_000;

/** @throws Error for an override with an unknown parameter, or a key that is no header value */
export function createMarketplaceClient(settings: ClientSettings): MarketplaceClient {
  const { governor, auths = {} } = settings;
  const { origin } = new URL(settings.baseUrl);
  const account = identityOf(settings.auth, 'marketplace.auth');
  const ownCredentials = new Map(
    Object.entries(auths).map(([id, auth]) => [id, identityOf(auth, `marketplace.operations.${id}.auth`)]),
  );
  const operations = inDeployment(settings);
  const connectTimeoutMs = Math.min(settings.timeoutMs, MAX_CONNECT_MS);
  const dispatcher = settings.dispatcher ?? createPool(origin, { connections: MAX_CONNECTIONS, connectTimeoutMs });
  const line: Line = { ...settings, origin, dispatcher, hasAnswered: false };

  async function perform<Result>(
    id: OperationId,
    request: Parameters<typeof writeRequest>[2],
    options: CallOptions,
    read: Read<Result>,
  ): Promise<Result> {
    const operation = operations[id];
    const wire = writeRequest(operation, rootOf(operation, settings), request);
    const identity = ownCredentials.get(id) ?? account;
    const { credential } = identity;
    const url = origin + wire.target.replace(/\?.*$/, '');
    const assumed = operation.provenance === 'assumed' && settings.overrides?.[id]?.path === undefined;
    // A 404 at an assumed path means a wrong path. A list without pages has no first page.
    const isPaged = operation.paging === 'page' && !assumed && settings.overrides?.[id]?.path === undefined;
    const { page = 1 }: { page?: unknown } = request.query ?? {};
    const firstPage = isPaged && page === 1;
    const begun = async (secret: string): Promise<Result> => {
      const called: Called = { operation, url, assumed, secret, firstPage, authAt: identity.setting };
      await admitCall(governor, called, options);
      return answerTo(line, { id, called, wire, options, identity }, read);
    };
    const secret = await credential.secret();
    try {
      return await begun(secret);
    } catch (error) {
      const other = isRefusedSecret(error) ? await renewedSecret(credential, secret) : null;
      if (other === null) throw error;
      return begun(other);
    }
  }

  return {
    call: <Id extends CallId>(id: Id, request: RequestOf<Id>, options: CallOptions) =>
      perform(id, request, options, async (called, answered) => (await readEntity(called, answered)) as Answer<Id>),
    list: <Id extends ListId>(id: Id, request: RequestOf<Id>, options: CallOptions) =>
      perform(id, request, options, async (called, answered, askedAtMs) => {
        const page = await readList(called, answered, request.query ?? {});
        return { ...page, askedAtMs } as ListPage<Answer<Id>>;
      }),
    close: async () => {
      if (settings.dispatcher === undefined) await dispatcher.close();
    },
  };
}

interface Identity {
  readonly scheme: Auth['scheme'];
  readonly credential: Credential;
  /** The setting with the credentials: `marketplace.auth`. */
  readonly setting: string;
}

function identityOf(auth: Auth, setting: string): Identity {
  return { scheme: auth.scheme, credential: credentialOf(secretOf(auth)), setting };
}

interface Outgoing {
  readonly id: OperationId;
  readonly called: Called;
  readonly wire: WireRequest;
  readonly options: CallOptions;
  readonly identity: Identity;
}

/** `askedAtMs`: when the call was sent, by our clock. */
type Read<Result> = (called: Called, answered: Answered, askedAtMs: number) => Result | Promise<Result>;

function isRefusedSecret(error: unknown): boolean {
  return error instanceof CallFailure && error.kind === 'credentials';
}

interface Line extends ClientSettings {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  /** A call has succeeded, so base_url is right. */
  hasAnswered: boolean;
}

async function answerTo<Result>(
  line: Line,
  { id, called, wire, options, identity }: Outgoing,
  read: Read<Result>,
): Promise<Result> {
  const { signal } = options;
  const lane = laneOf(options);
  const startedMs = performance.now();
  const askedAtMs = Date.now();
  let headers: IncomingHttpHeaders | null = null;
  const trace = (status: number | null, outcome: CallTrace['outcome'], failure: FailureKind | null) =>
    line.onCall?.({
      operation: id,
      lane,
      status,
      durationMs: performance.now() - startedMs,
      outcome,
      failure,
      headers,
    });
  try {
    const answered = await send(line, called, { identity, wire, signal }, (heard) => {
      headers = heard;
    });
    const result = await read(called, answered, askedAtMs);
    trace(answered.status, 'answered', null);
    return result;
  } catch (error) {
    if (error instanceof CallFailure) trace(error.status, error.outcome, error.kind);
    if (isRefusedSecret(error)) identity.credential.refused(called.secret);
    throw error;
  }
}

/** Reports to the governor. @throws CallFailure for anything but a success or an empty first page */
async function send(
  line: Line,
  called: Called,
  {
    identity,
    wire: { payload, ...where },
    signal,
  }: Pick<Outgoing, 'identity' | 'wire'> & { signal: AbortSignal | undefined },
  hear: (headers: IncomingHttpHeaders) => void,
): Promise<Answered> {
  const { origin, dispatcher, governor, timeoutMs } = line;
  const fixed = fixedHeaders({ ...line, auth: identity }, called.secret);
  const headers = payload === null ? fixed : { ...fixed, 'content-type': payload.contentType };
  const exchanged = await exchange(
    dispatcher,
    { origin, ...where, headers, body: payload?.body ?? null },
    { timeoutMs, maxBodyBytes: MAX_BODY_BYTES, signal },
  );
  if (exchanged.kind === 'broken') throw brokenFailure(called, exchanged);
  hear(exchanged.headers);
  const quota = readQuotaHeaders(exchanged.status, exchanged.headers, Date.now());
  // The answer is used even if the quota cannot record it. The next `acquire` meets the same trouble and reports it.
  await governor.observe(quota).catch(() => undefined);
  if (exchanged.status < 300) line.hasAnswered = true;
  else if (!called.firstPage || !isEmptyCollection(exchanged, line.hasAnswered)) {
    throw statusFailure(called, exchanged, quota.retryAfterMs);
  }
  return exchanged;
}

function inDeployment({
  overrides = {},
  dialect,
}: Pick<ClientSettings, 'overrides' | 'dialect'>): Record<OperationId, Deployed> {
  for (const id of Object.keys(overrides))
    if (!Object.hasOwn(OPERATIONS, id)) throw new Error(`marketplace.operations.${id}: there is no such operation`);
  const ids = Object.keys(OPERATIONS) as OperationId[];
  const entries = ids.map((id) => [id, applyOverride(OPERATIONS[id], overrides[id], dialect)] as const);
  const table = Object.fromEntries(entries) as Record<OperationId, Deployed>;
  for (const id of ['orders.list', 'orders.get'] as const) {
    table[id] = { ...table[id], answer: withAmounts(table[id].answer) };
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

/** Spec 1, Authentication and Versioning. */
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
