import { Dispatcher } from 'undici';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { Clock, Program } from './clock.ts';
import type { Reply, Request, Sides } from './sides.ts';

export type SideName = 'marketplace' | 'erp';

/** The faults of one call. All of them are made by the network, and the sides do not know of them. */
export const CALL_FAULTS = [
  'refused',
  'request-lost',
  'answer-lost',
  'applied-late',
  'doubled',
  'answer-slow',
  'failed-before',
  'failed-after',
  'rate-limited',
  'truncated',
] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

export interface NetworkParts {
  readonly clock: Clock;
  readonly luck: Chance;
  readonly sides: () => Sides;
  /** The most rows on a page of the marketplace; null: as many as requested. */
  readonly pageSize: number | null;
  /** The fault of this call; null: none. */
  readonly fault: (side: SideName, method: string) => CallFault | null;
  /** The client's time-out. A request that was given up may still be applied for twice as long. */
  readonly timeoutMs: number;
  /** Changes an answer before it is on its way. */
  readonly told: (side: SideName, request: Request, reply: Reply) => Reply;
  /** Called when a call has arrived and was applied. `sentAtMs`: null when something on the way has sent it once more. */
  readonly onApplied: (side: SideName, request: Request, sent: unknown, reply: Reply, sentAtMs: number | null) => void;
}

/** One program's connection to a side. */
export interface Wire {
  /** The program that gets the answers. */
  readonly program: Program;
  /** Is the program alive? A dead program sends and hears nothing. */
  readonly alive: () => boolean;
  /** Called before a request leaves. The result is handed to `onApplied`. */
  readonly onSend: (side: SideName, request: Request) => unknown;
  /** Called when a whole answer without a failure reaches the program. `arrivedAtMs`: the time at which the side gave it. */
  readonly onAnswered: (side: SideName, request: Request, reply: Reply, arrivedAtMs: number) => void;
}

type Sent = Parameters<Dispatcher['dispatch']>;

/** The network between the program and both sides. */
export function createNetwork(parts: NetworkParts) {
  const { clock, luck } = parts;
  const latency = () => luck.whole(5, 200);

  return (side: SideName, wire: Wire): Dispatcher => {
    const dispatch = (options: Sent[0], handler: Sent[1]): void => {
      if (!wire.alive()) return;
      const request: Request = {
        method: options.method,
        target:
          parts.pageSize === null ? options.path : options.path.replace('page_size=500', `page_size=${parts.pageSize}`),
        headers: options.headers as Record<string, string>,
        body: typeof options.body === 'string' ? options.body : '',
      };
      const fault = parts.fault(side, request.method);
      const controller = { aborted: false, abort: () => void (controller.aborted = true) };
      const { program } = wire;
      const hears = () => wire.alive() && !controller.aborted;
      const fail = (code: string) => {
        if (!hears()) return;
        handler.onResponseError?.(controller as never, Object.assign(new Error(code), { code }));
      };
      if (fault === 'refused') return program.after(latency(), () => fail('ECONNREFUSED'));
      const sent = wire.onSend(side, request);
      if (!wire.alive()) return;
      handler.onRequestStart?.(controller as never, undefined);
      if (fault === 'request-lost') return program.after(latency(), () => fail('ECONNRESET'));
      const sentAtMs = clock.nowMs();
      const arriving = (since: number | null) => (then: (reply: Reply, atMs: number) => void) => async () => {
        const atMs = clock.nowMs();
        const reply = await parts.sides().call(side, request);
        parts.onApplied(side, request, sent, reply, since);
        then(parts.told(side, request, reply), atMs);
      };
      const arrive = arriving(sentAtMs);
      const deliver = (reply: Reply, atMs: number, cut = false) => {
        if (!hears()) return;
        // For a list, only the last page makes it whole.
        const isWhole = !cut && reply.status < 300 && !/"next":\s*"/.test(reply.body);
        if (isWhole) wire.onAnswered(side, request, reply, atMs);
        handler.onResponseStart?.(controller as never, reply.status, reply.headers);
        const body = Buffer.from(reply.body);
        handler.onResponseData?.(controller as never, cut ? body.subarray(0, body.length / 2) : body);
        if (cut) fail('ECONNRESET');
        else handler.onResponseEnd?.(controller as never, {});
      };
      const answer = (reply: Reply, atMs: number) => program.after(latency(), () => deliver(reply, atMs));
      switch (fault) {
        case 'answer-lost':
          return clock.after(
            latency(),
            arrive(() => program.after(latency(), () => fail('ECONNRESET'))),
          );
        case 'applied-late':
          program.after(latency(), () => fail('ECONNRESET'));
          return clock.after(
            luck.whole(1, 2 * parts.timeoutMs - 100),
            arrive(() => {}),
          );
        case 'doubled':
          clock.after(
            latency(),
            arriving(null)(() => {}),
          );
          return clock.after(latency(), arrive(answer));
        case 'answer-slow':
          return clock.after(
            latency(),
            arrive((reply, atMs) => program.after(parts.timeoutMs + latency(), () => deliver(reply, atMs))),
          );
        case 'failed-before':
          return program.after(latency(), () => deliver(failure(503), clock.nowMs()));
        case 'failed-after':
          return clock.after(
            latency(),
            arrive((_, atMs) => answer(failure(502), atMs)),
          );
        case 'rate-limited':
          return program.after(latency(), () => deliver(failure(429, { 'retry-after': '1' }), clock.nowMs()));
        case 'truncated':
          return clock.after(
            latency(),
            arrive((reply, atMs) => program.after(latency(), () => deliver(reply, atMs, true))),
          );
        case null:
          return clock.after(latency(), arrive(answer));
      }
    };
    return new WireDispatcher(dispatch);
  };
}

function failure(status: number, headers: Record<string, string> = {}): Reply {
  const json = { 'content-type': 'application/json' };
  return { status, headers: { ...json, ...headers }, body: '{"error":"made to fail","detail":"made to fail"}' };
}

class WireDispatcher extends Dispatcher {
  readonly #dispatch: (options: Sent[0], handler: Sent[1]) => void;
  constructor(dispatch: (options: Sent[0], handler: Sent[1]) => void) {
    super();
    this.#dispatch = dispatch;
  }
  override dispatch(options: Sent[0], handler: Sent[1]): boolean {
    this.#dispatch(options, handler);
    return true;
  }
}
