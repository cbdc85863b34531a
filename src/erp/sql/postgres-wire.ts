import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { MAX_BODY_BYTES } from '../../http/exchange.ts';

/** The driver's connection, which its types do not name. */
interface Driver {
  readonly connection: { attachListeners(stream: EventEmitter): void };
}

/**
 * The client of the driver, whose messages are checked before they are read. The driver throws at one that it does not understand, with
 * nobody there to catch it, and reads an error that does not end for ever: either would stop the whole program.
 */
export class CheckedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as Driver;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(checked(stream as Duplex));
  }
}

/** The bytes of a stream, which is destroyed at the first message that is none. */
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
/** Errors and notices, whose fields end with an empty one. */
const OF_FIELDS = ['E', 'N'].map((letter) => letter.charCodeAt(0));

/** Checks the length of each message, and the end of those that the driver reads up to their end. */
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
