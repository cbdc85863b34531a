import { connect } from 'node:net';
import { sendCommand } from './send-command.ts';

/**
 * `users`: each process that uses another one's private server listens here to be counted. `ending`: the process about
 * to end the server listens here first, so that nobody else registers.
 */
type Table = 'users' | 'ending';

export interface Registration {
  readonly closed: AbortSignal;
  leave(): void;
}

/** null: the server does not answer in time. */
export function registerUser(socket: string, limitMs: number, table: Table = 'users'): Promise<Registration | null> {
  const closing = new AbortController();
  return new Promise((resolve) => {
    const connection = connect(socket, () => connection.write(`SUBSCRIBE stockbridge:${table}\r\n`));
    connection.setTimeout(limitMs, () => connection.destroy());
    connection.once('data', () => {
      connection.setTimeout(0);
      // The messages are not used.
      connection.resume();
      resolve({ closed: closing.signal, leave: () => connection.destroy() });
    });
    connection.on('error', () => {});
    connection.once('close', () => {
      closing.abort();
      resolve(null);
    });
  });
}

/** 0 when the server does not answer. */
export async function countUsers(socket: string, limitMs: number, table: Table = 'users'): Promise<number> {
  const [, count = '0'] = /^:(\d+)$/.exec(await sendCommand(socket, `PUBLISH stockbridge:${table} who`, limitMs)) ?? [];
  return Number(count);
}
