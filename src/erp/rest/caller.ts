import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { CallFailure } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import type { Expression } from '../../expressions/expression.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import type { Credential } from '../../http/credential.ts';
import type { Answered, Exchanged } from '../../http/exchange.ts';
import { withTexts } from '../../http/json.ts';
import { servedAt } from '../../http/retry-after.ts';
import { parseEntity, parseRows, TooManyRows } from '../../http/rows.ts';
import { brokenFailure, type Called, incompleteFailure, invalidAnswer } from '../failure.ts';
import type { CallRecord } from '../kind.ts';
import { type LineOptions, openLine } from '../line.ts';
import { fieldsOf } from '../rows/fields.ts';
import type { AuthSection } from './auth/schema.ts';
import { type Sign, type Signature, signOf } from './auth/sign.ts';
import { createBeginnings } from './beginnings.ts';
import { sessionFailure, statusFailure, type Words } from './failures.ts';
import { createTurns, type Limits } from './limits.ts';
import { type Place, placesOf } from './place.ts';
import { headersOf, type Outgoing, type Request } from './request.ts';
import { bodyOf, type Judge } from './rules.ts';
import { createSession, type Session, type SessionParts } from './session.ts';
import type { Render } from './template.ts';

export interface CallerParts extends LineOptions {
  readonly auth: AuthSection;
  readonly credential: (name: string) => Credential;
  readonly headers: Render;
  /** null: unlimited. */
  readonly limits: Limits | null;
  readonly calls?: CallRecord | undefined;
  readonly judge: Judge;
  /** `settings`, for every expression. */
  readonly given: Given;
  readonly words: Words;
  /** The location of a part of the description: `erp.yaml:41:12`; null: unknown. */
  readonly where?: ((path: readonly string[]) => string | null) | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Ask {
  readonly request: Request;
  readonly given: Given;
  /** The path to a list's rows; undefined: the whole answer. */
  readonly items?: readonly string[] | undefined;
  /** True for an error that only means "no rows". */
  readonly none?: Expression | null | undefined;
  /** The next page's path and query, in place of the request's. */
  readonly target?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The value at the path to the rows, or the whole answer. */
  readonly found: unknown;
  /** The rest of the answer as plain JSON, decimals as text. */
  readonly beside: unknown;
  /** The requested address, and the base of all calls. */
  readonly url: string;
  readonly base: string;
  /** When the call began on the ERP's clock; null: the answer has no Date. */
  readonly began: string | null;
}

/** Calls the ERP and never repeats a write. Every failure is a `CallFailure`. */
export interface Caller {
  /** Calls for a purpose, as in "when asked to {purpose}". They end when the signal aborts. */
  reading(purpose: string, signal: AbortSignal | undefined): Call;
  writing(purpose: string, signal: AbortSignal | undefined): Call;
  readonly place: Place;
  readonly given: Given;
  readonly now: () => number;
  close(): Promise<void>;
}

export interface Call extends Pick<Caller, 'given' | 'now'> {
  ask(ask: Ask): Promise<Answer>;
  /** As `ask`; null: an error rule says that there is no such record. */
  find(ask: Ask): Promise<Answer | null>;
  /** @throws CallFailure `invalid-answer` naming `where` when the expression fails */
  tell(expression: Expression, input: unknown, given: Given, where: string): Promise<unknown>;
  invalidAnswer(path: string, message: string): CallFailure;
  incomplete(): CallFailure;
  readonly called: Called;
}

interface About {
  readonly purpose: string;
  readonly write: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The most rows of an answer. An ERP may exceed the page size, but not without limit. */
const MAX_ROWS = 10_000;

export function createCaller(parts: CallerParts): Caller {
  const { given, now } = parts;
  const sender = createSender(parts);
  const place = placesOf(parts.where);
  const callFor = (about: About): Call => {
    const refuse = (path: string, message: string) =>
      invalidAnswer(sender.calledBy(about), { path, message }, parts.words);
    return {
      async ask(ask) {
        const answer = await interpreted(parts, sender, ask, about);
        if ('failure' in answer) throw answer.failure;
        return answer;
      },
      async find(ask) {
        const answer = await interpreted(parts, sender, ask, about);
        if (!('failure' in answer)) return answer;
        if (answer.byRule && answer.failure.kind === 'not-found') return null;
        throw answer.failure;
      },
      async tell(expression, input, own, where) {
        try {
          return await expression.evaluate(input, { ...given, ...own });
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          throw refuse(where, `${place(where)}: ${expression.text} fails: ${error.message}`);
        }
      },
      invalidAnswer: refuse,
      incomplete: () => incompleteFailure(sender.calledBy(about)),
      get called() {
        return sender.calledBy(about);
      },
      given,
      now,
    };
  };
  return {
    reading: (purpose, signal) => callFor({ purpose, write: false, signal }),
    writing: (purpose, signal) => callFor({ purpose, write: true, signal }),
    place,
    given,
    now,
    close: () => sender.close(),
  };
}

/** Signs calls and sends them in turn. */
interface Sender {
  /** @throws CallFailure without an answer */
  send(ask: Ask, about: About): Promise<Sent>;
  calledBy(about: About): Called;
  beganAt: ReturnType<typeof createBeginnings>;
  close(): Promise<void>;
}

interface Sent extends Answered {
  readonly url: string;
  readonly base: string;
  readonly called: Called;
}

function createSender(parts: CallerParts): Sender {
  const { timeoutMs, given, now } = parts;
  const turns = parts.limits === null ? null : createTurns(parts.limits, () => performance.now(), parts.calls);
  const line = openLine({ ...parts, turn: turns === null ? undefined : (signal) => turns.take(timeoutMs, signal) });
  const { origin, prefix } = line;
  let secrets: readonly string[] = [];

  const session = sessionOf(parts, async (call, operation) =>
    line.exchange(await below(call), { operation, write: false, signal: undefined, answerHidden: true }),
  );
  const sign: Sign =
    parts.auth.scheme === 'session' ? async () => noSession() : signOf(parts.auth, parts.credential, now);

  async function below(call: Outgoing, target = prefix + call.target): Promise<Outgoing> {
    const always = headersOf((await parts.headers(given)) as Readonly<Record<string, unknown>>);
    return { ...call, target, headers: { accept: 'application/json', ...always, ...call.headers } };
  }

  const calledBy = ({ purpose, write }: About, known = secrets): Called => {
    return { erp: `the ERP at ${origin}`, secrets: known, purpose, write, timeoutMs };
  };

  /** Newer credentials for a second try of a rejected call; null: none. */
  async function otherSignature(call: Outgoing, { secrets: refused }: Signature): Promise<Signature | null> {
    const next = await sign(origin, call).catch(() => null);
    return next === null || isDeepStrictEqual(next.secrets, refused) ? null : next;
  }

  async function send(ask: Ask, about: About): Promise<Sent> {
    const make = async (auth?: Given) =>
      below(await ask.request.make({ ...given, ...ask.given, ...(auth === undefined ? {} : { auth }) }), ask.target);
    const once = async () => {
      const of = await session?.sign();
      const call = await make(of?.auth);
      return sent(call, of ?? (await sign(origin, call)));
    };
    const sent = async (call: Outgoing, signature: Signature) => {
      secrets = signature.secrets;
      const target = withParameter(call.target, signature.parameter);
      const signed = { ...call, target, headers: { ...call.headers, ...signature.headers } };
      const { operation } = ask.request;
      return { answer: await line.exchange(signed, { ...about, operation }), signature, call };
    };
    let { answer, signature, call } = await once();
    if (session !== null && answer.kind === 'answer' && (await session.isOver(answer))) {
      signature.refused();
      if (about.write) throw sessionFailure(calledBy(about, signature.secrets), answer.status);
      ({ answer, signature, call } = await once());
    }
    if (session === null && isRefused(answer)) {
      signature.refused();
      const next = await otherSignature(call, signature);
      if (next !== null) ({ answer, signature, call } = await sent(await make(), next));
    }
    const called = calledBy(about, signature.secrets);
    if (answer.kind === 'broken') throw brokenFailure(called, answer);
    if (isRefused(answer)) signature.refused();
    return { ...answer, url: new URL(call.target, origin).href, base: origin + prefix, called };
  }

  return { send, calledBy, beganAt: createBeginnings(), close: () => line.close() };
}

function isRefused(answer: Exchanged): boolean {
  return answer.status === 401;
}

function sessionOf({ auth, credential, given, now }: CallerParts, send: SessionParts['send']): Session | null {
  if (auth.scheme !== 'session') return null;
  return createSession({ auth, password: credential('password'), given, nowMs: now, send });
}

async function interpreted(
  parts: CallerParts,
  sender: Sender,
  ask: Ask,
  about: About,
): Promise<Answer | { readonly failure: CallFailure; readonly byRule: boolean }> {
  const beganMs = performance.now();
  const answer = await sender.send(ask, about);
  const { called, status, headers, url, base } = answer;
  const began =
    headers.date === undefined ? null : sender.beganAt(beganMs, performance.now(), servedAt(headers, parts.now()));
  const refuse = (path: string, message: string) => ({
    failure: invalidAnswer(called, { path, message }, { status, ...parts.words }),
    byRule: false,
  });
  const failed = async (body: unknown) => {
    const verdict = await parts.judge({ answer, body }, parts.given);
    if (status < 300 && verdict === null) return null;
    const failure = statusFailure(called, answer, verdict, parts.words);
    return { failure, byRule: verdict !== null && (verdict.rule.kind !== undefined || status < 300) };
  };
  if (status >= 300) {
    const body = await bodyOf(answer);
    if (await saysNone(ask, body, { ...parts.given, status }))
      return { found: [], beside: body, status, headers, url, base, began };
    return (await failed(body)) ?? refuse('', 'no answer');
  }
  let read: Pick<Answer, 'found' | 'beside'>;
  try {
    // A write may return an empty body, as with 204.
    const isBare = about.write && ask.items === undefined && answer.body.length === 0;
    read = isBare ? { found: null, beside: {} } : await readBody(answer.body, ask.items);
  } catch (error) {
    const judged = await failed(undefined);
    if (judged !== null) return judged;
    if (error instanceof TooManyRows) return refuse(ask.items?.join('.') ?? '', error.message);
    return refuse('', 'expected JSON in UTF-8');
  }
  return (await failed(read.beside)) ?? { ...read, status, headers, url, base, began };
}

async function saysNone({ none }: Ask, body: unknown, given: Given): Promise<boolean> {
  if (none === null || none === undefined || body === undefined) return false;
  return none.evaluate(body, given).then(
    (told) => told === true,
    () => false,
  );
}

async function readBody(
  body: Uint8Array,
  items: readonly string[] | undefined,
): Promise<Pick<Answer, 'found' | 'beside'>> {
  if (items === undefined) {
    const found = await parseEntity(body);
    return { found, beside: withTexts(found) };
  }
  const answer = await parseRows(body, items, MAX_ROWS);
  if (items.length === 0 || Array.isArray(answer))
    return { found: answer, beside: Array.isArray(answer) ? {} : withTexts(answer) };
  return {
    found: items.reduce<unknown>((at, name) => fieldsOf(at)[name], answer),
    beside: withTexts(without(answer, items)),
  };
}

function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { [name]: inner, ...others } = value as Record<string, unknown>;
  if (inner === undefined) return others;
  return rest.length === 0 ? (Array.isArray(inner) ? others : value) : { ...others, [name]: without(inner, rest) };
}

/** The next page's address may include the parameter already. */
function withParameter(target: string, parameter: Signature['parameter']): string {
  if (parameter === undefined) return target;
  const [name, value] = parameter.map(encodeURIComponent);
  const [path = '', query = ''] = target.split('?');
  const others = query.split('&').filter((one) => one !== '' && one.split('=')[0] !== name);
  return `${path}?${[...others, `${name}=${value}`].join('&')}`;
}

function noSession(): Signature {
  return { headers: {}, secrets: [], refused: () => {} };
}
