import { Dispatcher } from 'undici';
import { z } from 'zod';
import { wholeIssue } from '../../http/issues.ts';
import type { ModuleRequest, OpenedModule } from './load.ts';

const TEXT_CHARACTERS_MAX = 500;

/** Answers calls by the module instead of a connection. */
export function dispatcherOf(handle: OpenedModule['handle']): Dispatcher {
  return new OfModule(handle);
}

class OfModule extends Dispatcher {
  readonly #handle: OpenedModule['handle'];

  constructor(handle: OpenedModule['handle']) {
    super();
    this.#handle = handle;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const call = new AbortController();
    const controller = controllerOf(call);
    handler.onRequestStart?.(controller, {});
    if (!call.signal.aborted) void this.#answer(options, handler, { call, controller });
    return true;
  }

  async #answer(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    { call, controller }: { readonly call: AbortController; readonly controller: Dispatcher.DispatchController },
  ): Promise<void> {
    try {
      const { status, headers, body } = answerOf(await this.#handle(requestOf(options, call.signal)));
      if (call.signal.aborted) return;
      handler.onResponseStart?.(controller, status, headers);
      handler.onResponseData?.(controller, body);
      handler.onResponseEnd?.(controller, {});
    } catch (error) {
      handler.onResponseError?.(controller, brokenBy(error));
    }
  }
}

/** @throws Error for an invalid answer, which counts as a broken connection */
function answerOf(given: unknown): {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
} {
  const parsed = answer.safeParse(given);
  if (!parsed.success) throw new Error(`the module's answer does not fit: ${wholeIssue(parsed.error).path}`);
  const { status, headers, body } = parsed.data;
  const named = Object.entries({ 'content-type': 'application/json', ...headers });
  return {
    status,
    headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: Buffer.from(JSON.stringify(body ?? null)),
  };
}

const answer = z.object({
  status: z.int().min(200).max(599).prefault(200),
  headers: z.record(z.string(), z.union([z.string(), z.number()])).prefault({}),
  body: z.unknown().optional(),
});

/** Messages about broken connections show the code, so it is the error's text. */
function brokenBy(cause: unknown): Error {
  const text = (cause instanceof Error ? cause.message : String(cause)).slice(0, TEXT_CHARACTERS_MAX);
  return Object.assign(new Error(text, { cause }), { code: text });
}

function controllerOf(call: AbortController): Dispatcher.DispatchController {
  return {
    get aborted() {
      return call.signal.aborted;
    },
    get reason() {
      return call.signal.reason instanceof Error ? call.signal.reason : null;
    },
    paused: false,
    abort: (reason) => call.abort(reason),
    pause() {},
    resume() {},
  };
}

function requestOf(
  { origin, method, path, headers, body }: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): ModuleRequest {
  const { pathname, searchParams } = new URL(path, origin);
  const { authorization = '' } = headers as Readonly<Record<string, string>>;
  return {
    method: method as ModuleRequest['method'],
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: typeof body === 'string' ? JSON.parse(body) : null,
    secret: authorization.replace(/^Bearer /, ''),
    signal,
  };
}
