import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createChunkBuffer } from './chunk-buffer.ts';

/** Each chunk costs processor time. A body may have this many chunks, plus one per so many bytes. */
const FREE_CHUNKS = 1_000;
const CHUNK_BYTES = 64;

/**
 * Passes every body to its parser in one piece. Fastify would keep every chunk, so a client that sends single bytes
 * would cost a hundred times the memory. An unread body's connection is closed after the answer, because Node would
 * read the rest.
 * @param maxBytes of a body; a longer one, or one in too many chunks, is answered with 413
 */
export function gatherBodies(app: FastifyInstance, maxBytes: number): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
    if (!raw.complete && (length !== '0' || encoding !== undefined)) reply.header('connection', 'close');
  });
  app.addHook('preParsing', async ({ headers, method }, reply, payload) => {
    // The body is not used.
    if (method === 'GET' || method === 'HEAD') return payload;
    const { 'content-length': length, 'transfer-encoding': encoding } = headers;
    if (length === undefined && encoding === undefined) return payload;
    try {
      if (Number(length) > maxBytes) throw new UnfitBody(413, `the body is longer than ${maxBytes} bytes`);
      return Readable.from([await gathered(payload, maxBytes)]);
    } catch (error) {
      // The rest of the body is not read.
      reply.header('connection', 'close');
      throw error;
    }
  });
}

class UnfitBody extends Error {
  override readonly name = 'UnfitBody';
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

function gathered(payload: Readable, maxBytes: number): Promise<Buffer> {
  const body = createChunkBuffer();
  return new Promise((resolve, reject) => {
    let chunks = 0;
    const refuse = (why: string): void => {
      payload.off('data', take);
      payload.pause();
      reject(new UnfitBody(413, why));
    };
    const take = (chunk: Buffer): void => {
      chunks += 1;
      body.add(chunk);
      if (body.size() > maxBytes) refuse(`the body is longer than ${maxBytes} bytes`);
      else if (chunks > FREE_CHUNKS + body.size() / CHUNK_BYTES) refuse('the body comes in too many small chunks');
    };
    const broken = (): void => reject(new UnfitBody(400, 'the body broke off'));
    payload
      .on('data', take)
      .once('end', () => resolve(body.whole()))
      .once('error', broken)
      .once('close', broken);
  });
}
