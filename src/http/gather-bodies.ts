import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createGathered } from './gathered.ts';

/**
 * Gives every body to its parser in one piece. Fastify would keep every chunk until the last one has come: a client that sends
 * single bytes would make it keep a hundred times as much as is sent.
 * @param maxBytes of a body; a longer one is answered with 413
 */
export function gatherBodies(app: FastifyInstance, maxBytes: number): void {
  app.addHook('preParsing', async ({ headers }, reply, payload) => {
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
  const body = createGathered();
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      if (body.size() + chunk.length <= maxBytes) return body.add(chunk);
      payload.off('data', take);
      reject(new UnfitBody(413, `the body is longer than ${maxBytes} bytes`));
    };
    const broken = (): void => reject(new UnfitBody(400, 'the body broke off'));
    payload
      .on('data', take)
      .once('end', () => resolve(body.whole()))
      .once('error', broken)
      .once('close', broken);
  });
}
