import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../support/erp-check.ts';
import { type Engine, openForeign, sectionOf } from './foreign.ts';

/*
 * Servers that answer with what is no answer in their protocol. Whatever a driver throws at it belongs to the call: an error that
 * nobody catches ends the program, and vitest fails for it.
 */

/** The failure of the first call to a server that answers the first texts that it gets with these bytes. */
async function failure(engine: Engine, first: readonly Buffer[], greeting?: Buffer) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const left = [...first];
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      const answer = left.shift();
      if (answer !== undefined) socket.write(answer);
    });
    if (greeting !== undefined) socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const section = sectionOf(engine, port, (one) => {
    one['timeout'] = '2s';
  });
  const erp = await openForeign(section);
  onTestFinished(async () => {
    await erp.close();
  });
  return failureOf(erp.ping());
}

function postgres(code: string, ...body: readonly number[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
const LOGGED_IN = Buffer.concat([postgres('R', 0, 0, 0, 0), postgres('Z', 73)]);

it.each<[string, Buffer, RegExp]>([
  ['asks for a log-in that nobody knows', postgres('R', 0, 0, 0, 42), /Unknown authenticationOk/],
  ['tells an error that does not end', postgres('E', 83), /an error that does not end/],
  ['tells an error without anything', postgres('E'), /a message of 0 bytes/],
  ['answers as a web server does', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /a message of \d+ bytes/],
])('a PostgreSQL that %s breaks only its own call', async (_what, answer, told) => {
  const known = await failure('postgres', [answer]);
  expect(known).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(known.message).toMatch(told);
});

it.each<[string, Buffer]>([
  ['a row that is cut off', postgres('D', 1, 244)],
  ['columns that are cut off', postgres('T', 11, 184)],
  ['fewer columns than none', postgres('T', 255, 255)],
  ['a message of less than nothing', Buffer.from([68, 255, 255, 255, 240, 1, 2, 3])],
])('a PostgreSQL that answers with %s breaks only its own call', async (_what, answer) => {
  expect(await failure('postgres', [LOGGED_IN, answer])).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
});
