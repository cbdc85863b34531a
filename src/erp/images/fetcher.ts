import { createHash } from 'node:crypto';
import { Agent } from 'undici';
import { type Answered, type Broken, exchange } from '../../http/exchange.ts';
import { addressProblem, shownAddress } from './address.ts';
import { imageLookup, OFF_LIMITS_CODE, type Resolve } from './resolve.ts';

export type FetchedImage =
  | {
      readonly found: 'image';
      readonly bytes: Buffer;
      /** SHA-256, hex. */
      readonly hash: string;
      readonly contentType: string;
      readonly etag: string | null;
    }
  | { readonly found: 'unchanged' }
  | { readonly found: 'nothing'; readonly failure: string };

export interface ImageFetcher {
  /** Sends no credentials. Throws only when `signal` aborts; otherwise the result says why there is no image. */
  fetch(address: string, etag: string | null, signal: AbortSignal): Promise<FetchedImage>;
}

export interface ImageLimits {
  readonly hosts: readonly string[];
  /** For the whole fetch with redirects. */
  readonly timeoutMs: number;
  readonly maxBytes?: number;
  readonly resolve?: Resolve;
}

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fetches images from the allowed hosts, bounded in bytes, time and redirects. */
export function createImageFetcher(limits: ImageLimits): ImageFetcher {
  const { hosts, timeoutMs, maxBytes = MAX_IMAGE_BYTES } = limits;
  const lookup = imageLookup(limits.resolve);
  const broken = ({ code, message }: Broken): FetchedImage => {
    if (code === OFF_LIMITS_CODE) return nothing(message);
    if (code === 'DEADLINE') return nothing(`did not answer within ${timeoutMs / 1000} s`);
    if (code === 'TOO_LONG') return nothing(`has more than ${Math.floor(maxBytes / 1024)} KiB`);
    return nothing(`could not be fetched (${code})`);
  };

  const get = async (
    dispatcher: Agent,
    address: string,
    etag: string | null,
    signal: AbortSignal,
  ): Promise<FetchedImage> => {
    const endMs = performance.now() + timeoutMs;
    const asked = etag === null ? {} : { 'if-none-match': etag };
    const headers = { accept: 'image/*', 'user-agent': 'stockbridge', ...asked };
    let at = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const problem = addressProblem(at, hosts);
      if (problem !== null) return nothing(hops === 0 ? problem : `leads to ${shownAddress(at)}, which ${problem}`);
      const { origin, pathname, search } = new URL(at);
      const answer = await exchange(
        dispatcher,
        { origin, method: 'GET', target: pathname + search, headers, body: null },
        { timeoutMs: Math.max(endMs - performance.now(), 0), maxBodyBytes: maxBytes, signal },
      );
      signal.throwIfAborted();
      if (answer.kind === 'broken') return broken(answer);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return read(answer, etag);
      at = URL.parse(location, at)?.href ?? location;
    }
    return nothing(`leads on more than ${MAX_REDIRECTS} times`);
  };

  return {
    async fetch(address, etag, signal) {
      // Fetches are too rare to keep connections.
      const dispatcher = new Agent({ allowH2: false, connect: { timeout: timeoutMs, lookup } });
      try {
        return await get(dispatcher, address, etag, signal);
      } finally {
        await dispatcher.destroy();
      }
    },
  };
}

function read({ status, headers, body }: Answered, etag: string | null): FetchedImage {
  if (status === 304 && etag !== null) return { found: 'unchanged' };
  if (status !== 200) return nothing(`is answered with ${status}`);
  const contentType = (headers['content-type'] ?? 'nothing').replace(/;.*$/s, '').trim().toLowerCase();
  if (!contentType.startsWith('image/')) return nothing(`is answered with ${contentType}, not with an image`);
  if (body.length === 0) return nothing('is empty');
  if (contentType.startsWith('image/svg') || isMarkup(body)) return nothing('is a drawing that may hold scripts (SVG)');
  const hash = createHash('sha256').update(body).digest('hex');
  return { found: 'image', bytes: body, hash, contentType, etag: headers.etag ?? null };
}

/** Recognises SVG by content, since its type may be wrong: no pixel format begins with an angle bracket. */
function isMarkup(body: Buffer): boolean {
  return /^[\s\u{feff}\0]*</u.test(body.subarray(0, 256).toString());
}

function nothing(failure: string): FetchedImage {
  return { found: 'nothing', failure };
}
