import { connect } from 'node:net';
import { ask } from './ask.ts';

/** Every process that uses the private server of another one listens here, and so counts as a user. */
const CHANNEL = 'stockbridge:users';

/** The place of this process among the users of a private server. */
export interface Seat {
  /** Aborted when the server has closed the connection, or this process has left. */
  readonly closed: AbortSignal;
  leave(): void;
}

/** null: the server does not answer in time. */
export function takeSeat(socket: string, limitMs: number): Promise<Seat | null> {
  const closing = new AbortController();
  return new Promise((resolve) => {
    const connection = connect(socket, () => connection.write(`SUBSCRIBE ${CHANNEL}\r\n`));
    connection.setTimeout(limitMs, () => connection.destroy());
    connection.once('data', () => {
      connection.setTimeout(0);
      // The messages say nothing.
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

/** So many processes use the server; 0 when it does not answer. */
export async function seatsAt(socket: string, limitMs: number): Promise<number> {
  const [, count = '0'] = /^:(\d+)$/.exec(await ask(socket, `PUBLISH ${CHANNEL} who`, limitMs)) ?? [];
  return Number(count);
}
