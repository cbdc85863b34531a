import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Admission, type ApiParts, admit, applyCall, occasionOf, type RawCall, type Reply } from './api-call.ts';
import type { FaultKind, FaultOf } from './fault.ts';
import { type Micros, showInstant } from './instants.ts';
import { refuse } from './refusal.ts';
import type { RequestLog } from './request-log.ts';

const MAX_BODY_BYTES = 5_000_000;

export interface ApiServerParts extends ApiParts {
  readonly log: RequestLog;
  readonly now: () => Micros;
  /** Aborted when the marketplace closes: calls that a fault holds end then. */
  readonly closing: AbortSignal;
}

/** The marketplace's public side. Its caller listens on it and closes it. */
export function createApiServer(parts: ApiServerParts): Server {
  return createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      // The sandbox's own mistake must be seen as one, not as a fault that somebody asked for.
      console.error('sandbox marketplace:', error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"detail":"The sandbox failed."}');
    });
  });
}

/** What happened to a call, for the log. */
interface Progress {
  version: string | null;
  status: number | null;
  applied: boolean;
  readonly faults: string[];
}

async function serve(parts: ApiServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === 'gone') return;
  const raw: RawCall = {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headers as RawCall['headers'],
    body: body ?? '',
  };
  const at = showInstant(parts.now());
  const admission = admit(parts, raw);
  const progress: Progress = { version: null, status: null, applied: false, faults: [] };
  const tooLarge = body === null ? { ...admission, refusal: refuse(413, 'The body is too large.') } : admission;
  try {
    await play(parts, raw, tooLarge, progress, response);
  } finally {
    const { routed, key } = admission;
    parts.log.add({
      at,
      method: raw.method,
      url: raw.url,
      operation: routed.kind === 'found' ? routed.operation.id : null,
      owner: key?.owner ?? null,
      body: raw.body.slice(0, 2000),
      ...progress,
    });
  }
}

async function play(
  parts: ApiServerParts,
  raw: RawCall,
  admission: Admission,
  progress: Progress,
  response: ServerResponse,
): Promise<void> {
  const occasion = occasionOf(admission);
  const strike = <Kind extends FaultKind>(kinds: readonly Kind[]): FaultOf<Kind> | null => {
    const fault = admission.refusal ? null : parts.faults.strike(kinds, occasion);
    if (fault) progress.faults.push(fault.kind);
    return fault;
  };
  const delay = strike(['delay-before']);
  if (delay && !(await pause(delay.ms, parts.closing))) return void response.destroy();
  const early = strike(['reset-before', 'status-before', 'rate-limit']);
  if (early?.kind === 'reset-before') return void response.destroy();
  const reply = early ? failure(early) : applyCall(parts, raw, admission);
  progress.version = reply.version;
  progress.applied = !early && reply.status < 400;
  const late = strike(['reset-after', 'status-after', 'truncate-body', 'html-body']);
  const hold = strike(['delay-after']);
  if (hold && !(await pause(hold.ms, parts.closing))) return void response.destroy();
  if (late?.kind === 'reset-after') return void response.destroy();
  send(response, admission, late?.kind === 'status-after' ? failure(late) : reply, late?.kind ?? null, progress);
}

/** The answer that a fault puts in place of the marketplace's own. */
function failure(fault: FaultOf<'status-before' | 'status-after' | 'rate-limit'>): Reply {
  const status = fault.kind === 'rate-limit' ? 429 : fault.status;
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (fault.retryAfterSeconds !== undefined) headers['Retry-After'] = String(fault.retryAfterSeconds);
  return { status, headers, body: JSON.stringify({ detail: `${status}, as a fault asked for.` }), version: null };
}

function send(
  response: ServerResponse,
  admission: Admission,
  reply: Reply,
  fault: FaultKind | null,
  progress: Progress,
): void {
  if (response.destroyed) return;
  const html = fault === 'html-body';
  const body = html ? '<html><body><h1>We will be right back</h1></body></html>' : reply.body;
  const headers: Record<string, string> = { ...admission.headers, ...reply.headers };
  if (html) headers['Content-Type'] = 'text/html';
  const bytes = Buffer.from(body);
  if (reply.status !== 204) headers['Content-Length'] = String(bytes.length);
  response.writeHead(reply.status, headers);
  if (fault !== 'truncate-body') {
    progress.status = reply.status;
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** false when the marketplace closed meanwhile. */
async function pause(ms: number, closing: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal: closing }).catch(() => false);
}

/** null: too large; 'gone': the caller hung up before it was whole. */
async function readBody(request: IncomingMessage): Promise<string | null | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}
