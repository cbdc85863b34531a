import { connect, type Socket } from 'node:net';

/** A server that has not answered by then counts as hanging, even on a busy machine. */
const ANSWER_LIMIT_MS = 90_000;
/** A request that never ends gets no answer. Its connection is closed after this time. */
const TORN_LIMIT_MS = 50;
const KEPT = 64 * 1024;

/** Sends requests one after the other on one connection. The connection is opened again when the server closes it. */
export interface Line {
  /** The status; null when the server closed the connection without a word. */
  ask(bytes: Buffer): Promise<number | null>;
  close(): void;
}

export function openLine(port: number): Line {
  let socket: Socket | null = null;
  return {
    ask(bytes) {
      // The server may have closed the connection since.
      const isOpen = socket !== null && socket.readyState === 'open';
      const used = socket !== null && isOpen ? socket : connect({ port, host: '127.0.0.1', noDelay: true });
      socket = null;
      return new Promise((resolve, reject) => {
        let text = '';
        const limit = setTimeout(() => give(new Error('no answer')), ANSWER_LIMIT_MS);
        const give = (result: number | null | Error, stays = false) => {
          clearTimeout(limit);
          used.removeAllListeners();
          used.on('error', () => {});
          if (stays) socket = used;
          else used.destroy();
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
        used.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1');
          const end = text.indexOf('\r\n\r\n');
          if (end < 0) return;
          const closes = /^connection: close/im.test(text.slice(0, end));
          const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
          if (text.length >= end + 4 + length) give(statusOf(text), !closes);
        });
        used.on('error', (error: NodeJS.ErrnoException) => give(isRefusal(error) ? error : statusOf(text)));
        used.on('close', () => give(statusOf(text)));
        used.write(bytes);
      });
    },
    close: () => socket?.destroy(),
  };
}

/** Sends bytes on a connection of their own, in two parts, and nothing more. Returns every status that came back. */
export function askTorn(port: number, bytes: Buffer): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    const give = () => {
      clearTimeout(limit);
      socket.removeAllListeners();
      socket.on('error', () => {});
      // A socket cannot be reset while its end is being sent: it would stay open, and the run would not end.
      if (socket.writableEnded && !socket.writableFinished) socket.destroy();
      else socket.resetAndDestroy();
      resolve([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)));
    };
    const limit = setTimeout(give, TORN_LIMIT_MS);
    socket.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('latin1')).slice(0, KEPT);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (isRefusal(error) ? reject(error) : give()));
    socket.on('close', give);
    socket.write(bytes.subarray(0, bytes.length >> 1));
    setImmediate(() => socket.writable && socket.end(bytes.subarray(bytes.length >> 1)));
  });
}

/** No server listens any more. */
const isRefusal = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNREFUSED';

function statusOf(text: string): number | null {
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
  return status === undefined ? null : Number(status);
}
