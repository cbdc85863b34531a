import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import { addressProblem, shownAddress } from './address.ts';

export type FetchedImage =
  | {
      readonly found: 'image';
      readonly bytes: Buffer;
      /** SHA-256 of the bytes, in hex. */
      readonly hash: string;
      /** `image/png` */
      readonly contentType: string;
      readonly etag: string | null;
    }
  /** It is what it was when it had this etag. */
  | { readonly found: 'unchanged' }
  | { readonly found: 'nothing'; readonly failure: string };

export interface ImageFetcher {
  /** Never fails: why there is nothing is told. Sends no credentials. */
  fetch(address: string, etag: string | null, signal: AbortSignal): Promise<FetchedImage>;
}

export interface ImageLimits {
  /** The only hosts that are asked. */
  readonly hosts: readonly string[];
  /** For the whole of it, redirects included. */
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fetches images from the hosts that are named, bounded in bytes, time and redirects. */
export function createImageFetcher({ hosts, timeoutMs, maxBytes = MAX_IMAGE_BYTES }: ImageLimits): ImageFetcher {
  const nothing = (failure: string): FetchedImage => ({ found: 'nothing', failure });

  const get = async (
    dispatcher: Agent,
    address: string,
    etag: string | null,
    signal: AbortSignal,
  ): Promise<FetchedImage> => {
    let at = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const problem = addressProblem(at, hosts);
      if (problem !== null) return nothing(hops === 0 ? problem : `leads to ${shownAddress(at)}, which ${problem}`);
      const headers = {
        accept: 'image/*',
        'user-agent': 'stockbridge',
        ...(etag === null ? {} : { 'if-none-match': etag }),
      };
      const answer = await request(at, { dispatcher, signal, headers, headersTimeout: 0, bodyTimeout: 0 });
      const location = header(answer.headers['location']);
      if (!REDIRECTS.has(answer.statusCode) || location === null) return read(answer, etag, maxBytes);
      discard(answer);
      at = URL.parse(location, at)?.href ?? location;
    }
    return nothing(`leads on more than ${MAX_REDIRECTS} times`);
  };

  return {
    async fetch(address, etag, signal) {
      const limit = AbortSignal.timeout(timeoutMs);
      // Images are few and far between: a connection is not worth keeping.
      const dispatcher = new Agent({ allowH2: false, connect: { timeout: timeoutMs } });
      try {
        return await get(dispatcher, address, etag, AbortSignal.any([limit, signal]));
      } catch (error) {
        signal.throwIfAborted();
        if (limit.aborted) return nothing(`did not answer within ${timeoutMs / 1000} s`);
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        return nothing(`could not be fetched (${code})`);
      } finally {
        await dispatcher.destroy();
      }
    },
  };
}

type Answered = Awaited<ReturnType<typeof request>>;

async function read(
  { statusCode, headers, body }: Answered,
  etag: string | null,
  maxBytes: number,
): Promise<FetchedImage> {
  const nothing = (failure: string): FetchedImage => {
    discard({ body });
    return { found: 'nothing', failure };
  };
  if (statusCode === 304 && etag !== null) {
    discard({ body });
    return { found: 'unchanged' };
  }
  if (statusCode !== 200) return nothing(`is answered with ${statusCode}`);
  const contentType = (header(headers['content-type']) ?? 'nothing').replace(/;.*$/s, '').trim().toLowerCase();
  if (!contentType.startsWith('image/')) return nothing(`is answered with ${contentType}, not with an image`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return nothing(`has more than ${Math.floor(maxBytes / 1024)} KiB`);
    chunks.push(chunk);
  }
  if (length === 0) return nothing('is empty');
  const bytes = Buffer.concat(chunks);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { found: 'image', bytes, hash, contentType, etag: header(headers['etag']) };
}

/** A body that is not read to its end says so as an error, which nobody is interested in. */
function discard({ body }: Pick<Answered, 'body'>): void {
  body.on('error', () => {});
  body.destroy();
}

function header(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
