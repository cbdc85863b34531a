import { createConnection, createServer, type Socket } from 'node:net';
import type { Counting } from './effects.ts';

/*
 * The line between a daemon and PostgreSQL, in the daemon's process. Data on the line when the process is killed has not
 * arrived. The line knows enough of the protocol to find the request for a commit and the end of its answer.
 */

/** Leases are renewed by time, so the number of their commits is random. */
const LEASES = /^(leases|daemons)$/;
const WRITES = /^\s*(insert into|update|delete from)\s+"?(\w+)/i;

interface Message {
  /** Empty for the first message of a connection. */
  readonly type: string;
  readonly body: Buffer;
}

/** @returns the address to connect to instead of `url` */
export async function openLine(url: string, counting: Counting): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer({ noDelay: true }, (near) =>
    join(near, createConnection(Number(port), hostname), counting),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The line ends with the process.
  server.unref();
  const address = server.address();
  const line = new URL(url);
  line.hostname = '127.0.0.1';
  line.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return line.href;
}

function join(near: Socket, far: Socket, { begin, end }: Counting): void {
  const watch = watchStatements();
  /** The commit whose answer has not arrived. */
  let under: string | null = null;
  const asked = splitter(true);
  const answered = splitter(false);
  near.on('data', (data: Buffer) => {
    for (const message of asked(data)) {
      const changed = watch(message);
      if (changed !== null && !changed.every((table) => LEASES.test(table.split(' ')[1] ?? '')))
        under = begin('commit', `: ${changed.join(', ')}`);
    }
    far.write(data);
  });
  far.on('data', (data: Buffer) => {
    for (const { type } of answered(data)) {
      if (type !== 'Z' || under === null) continue;
      end(under);
      under = null;
    }
    near.write(data);
  });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {});
    one.once('close', () => other.destroy());
    one.unref();
  }
}

/** Returns the tables that a transaction has changed when its commit is requested. */
function watchStatements(): (message: Message) => string[] | null {
  const prepared = new Map<string, string>();
  const changed = new Set<string>();
  return ({ type, body }) => {
    const [first = '', second = ''] = body.toString('utf8').split('\0');
    if (type === 'P') prepared.set(first, second);
    const text = type === 'Q' ? first : type === 'B' ? (prepared.get(second) ?? '') : '';
    if (text.startsWith('begin')) changed.clear();
    const [, verb, table] = WRITES.exec(text) ?? [];
    if (verb !== undefined) changed.add(`${verb.split(' ')[0]?.toLowerCase()} ${table}`);
    return text === 'commit' ? [...changed] : null;
  };
}

/** Cuts arriving data into whole messages. */
function splitter(isFirst: boolean): (data: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = isFirst;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    const messages: Message[] = [];
    for (;;) {
      const typeLength = untyped ? 0 : 1;
      if (rest.length < typeLength + 4) return messages;
      const end = typeLength + rest.readInt32BE(typeLength);
      if (rest.length < end) return messages;
      messages.push({ type: rest.toString('latin1', 0, typeLength), body: rest.subarray(typeLength + 4, end) });
      rest = rest.subarray(end);
      untyped = false;
    }
  };
}
