import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { WireFile } from '../../marketplace/operations/wire.ts';
import { type Admission, type ApiParts, admit, applyCall, occasionOf, type Reply } from './api-call.ts';
import type { Form, RawCall } from './call.ts';
import type { FaultKind, FaultOf } from './faults.ts';
import { type Micros, showInstant } from './instants.ts';
import type { LoggedCall, RequestLog } from './request-log.ts';
import { refuse } from './wire-values.ts';

/** For a browser at the API's address. */
const ABOUT = {
  about: 'The marketplace of the sandbox. Its calls need a key; "stockbridge api --list" lists them.',
  example: '/api/v2/products/?page_size=2',
};
const MAX_BODY_BYTES = 5_000_000;
const MAX_FORM_BYTES = 34_000_000;

export interface ApiServerParts extends ApiParts {
  readonly log: RequestLog;
  readonly now: () => Micros;
  /** Aborted on close, to end calls that a fault holds. */
  readonly closing: AbortSignal;
}

/** The public API. The caller starts and closes it. */
export function createApiServer(parts: ApiServerParts): Server {
  return createServer((request, response) => void serve(parts, request, response));
}

type Progress = { -readonly [Part in 'version' | 'status' | 'applied']: LoggedCall[Part] } & {
  readonly faults: string[];
};

interface Served {
  readonly admission: Admission;
  readonly response: ServerResponse;
  readonly progress: Progress;
}

async function serve(parts: ApiServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request).catch(() => undefined);
  // The caller hung up early.
  if (body === undefined) return;
  const raw: RawCall = {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headers as RawCall['headers'],
    ...(await bodyOf(request.headers['content-type'] ?? '', body ?? Buffer.of())),
  };
  if (raw.method === 'GET' && /^\/(api(\/v2)?\/?)?$/.test(raw.url) && raw.headers['authorization'] === undefined) {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(ABOUT));
    return;
  }
  const at = showInstant(parts.now());
  const admitted = admit(parts, raw);
  const admission = body === null ? { ...admitted, refusal: refuse(413, 'The body is too large.') } : admitted;
  const progress: Progress = { version: null, status: null, applied: false, faults: [] };
  const served = { admission, response, progress };
  try {
    await play(parts, raw, served);
  } catch (error) {
    // The sandbox's own failure must not look like a requested fault.
    const detail = `The sandbox failed: ${error instanceof Error ? error.stack : String(error)}`;
    progress.faults.push(detail);
    send(served, failure(500, detail), null);
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

async function play(parts: ApiServerParts, raw: RawCall, served: Served): Promise<void> {
  const { admission, response, progress } = served;
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
  const reply = early ? faultReply(early) : applyCall(parts, raw, admission);
  progress.version = reply.version;
  progress.applied = !early && reply.status < 400;
  const late = early ? null : strike(['reset-after', 'status-after', 'truncate-body', 'html-body']);
  const hold = strike(['delay-after']);
  if (hold && !(await pause(hold.ms, parts.closing))) return void response.destroy();
  if (late?.kind === 'reset-after') return void response.destroy();
  response.setHeader('Date', new Date(Math.floor(parts.now() / 1_000)).toUTCString());
  send(served, late?.kind === 'status-after' ? faultReply(late) : reply, late?.kind ?? null);
}

/** The answer that a fault substitutes. */
function faultReply(fault: FaultOf<'status-before' | 'status-after' | 'rate-limit'>): Reply {
  const status = fault.kind === 'rate-limit' ? 429 : fault.status;
  const reply = failure(status, `${status}, as a fault asked for.`);
  if (fault.retryAfterSeconds === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Retry-After': String(fault.retryAfterSeconds) } };
}

function failure(status: number, detail: string): Reply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ detail }), version: null };
}

function send({ admission, response, progress }: Served, reply: Reply, fault: FaultKind | null): void {
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

/** False: the marketplace closed meanwhile. */
async function pause(ms: number, closing: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal: closing }).catch(() => false);
}

/** null: too large. @throws when the caller hangs up early */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const maxBytes = isForm(request.headers['content-type']) ? MAX_FORM_BYTES : MAX_BODY_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? null : Buffer.concat(chunks);
}

async function bodyOf(contentType: string, bytes: Buffer): Promise<Pick<RawCall, 'body' | 'form'>> {
  if (!isForm(contentType)) return { body: bytes.toString('utf8') };
  return { body: `(${bytes.length} bytes of ${contentType})`, form: await readForm(contentType, bytes) };
}

function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}

/** null: no multipart body. The caller limits the bytes. */
async function readForm(contentType: string, bytes: Buffer): Promise<Form | null> {
  const body = new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } });
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- It is deprecated for unbounded bodies; these bytes are bounded.
    const form = await body.formData();
    return await Promise.all(
      [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await fileOf(value)] as const),
    );
  } catch {
    return null;
  }
}

async function fileOf(file: File): Promise<WireFile> {
  return { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}
