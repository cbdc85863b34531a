import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { MAX_BODY_BYTES } from '../../http/exchange.ts';

/** Missing from the driver's types. */
interface Driver {
  readonly connection: { attachListeners(stream: EventEmitter): void };
}

/**
 * Checks messages before the driver reads them. On an unknown message it throws where nobody catches, and on an endless
 * error it loops; both would stop the program.
 */
export class CheckedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as Driver;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(checked(stream as Duplex));
  }
}

/** Destroys the stream at the first invalid message. */
function checked(stream: Duplex): EventEmitter {
  const passed = new EventEmitter();
  const see = checkMessages();
  stream.on('data', (bytes: Buffer) => {
    try {
      see(bytes);
      passed.emit('data', bytes);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  stream.on('end', () => passed.emit('end'));
  return passed;
}

const HEAD_BYTES = 5;
/** Errors and notices, which end with an empty field. */
const OF_FIELDS = ['E', 'N'].map((letter) => letter.charCodeAt(0));

/** Checks each message's length, and the end of those that the driver reads to their end. */
function checkMessages(): (bytes: Buffer) => void {
  const head = Buffer.alloc(HEAD_BYTES);
  let [known, left] = [0, 0];
  let last: readonly [number, number] = [0, 0];
  const begin = (): void => {
    left = head.readInt32BE(1) - 4;
    last = [0, 0];
    const isEmpty = left === 0 && OF_FIELDS.includes(head.readUInt8());
    if (left < 0 || left > MAX_BODY_BYTES || isEmpty) throw new Error(`a message of ${left} bytes`);
  };
  const end = (): void => {
    known = 0;
    if (OF_FIELDS.includes(head.readUInt8()) && last.some((byte) => byte !== 0))
      throw new Error('an error that does not end');
  };
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (known < HEAD_BYTES) {
        const taken = bytes.copy(head, known, at, at + HEAD_BYTES - known);
        known += taken;
        at += taken;
        if (known < HEAD_BYTES) return;
        begin();
      } else {
        const to = Math.min(at + left, bytes.length);
        last = [to - at > 1 ? bytes.readUInt8(to - 2) : last[1], bytes.readUInt8(to - 1)];
        left -= to - at;
        at = to;
      }
      if (left === 0) end();
    }
  };
}
