import { connect } from 'node:net';

const ANSWER_MAX_BYTES = 64 * 1024;

/**
 * Sends one command without a reconnecting client. Returns the raw first line of the reply (`+PONG`, `-LOADING ...`);
 * 'nobody': nothing listens, or the connection closed without a reply; 'silence': no reply within `limitMs`.
 */
export function sendCommand(socket: string, command: string, limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const connection = connect(socket, () => connection.write(`${command}\r\n`));
    const give = (answer: string): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(limitMs, () => give('silence'));
    connection.setEncoding('utf8');
    connection.on('data', (chunk: string) => {
      text = (text + chunk).slice(0, ANSWER_MAX_BYTES);
      const end = text.indexOf('\r\n');
      if (end >= 0) give(text.slice(0, end));
    });
    connection.once('error', () => give('nobody'));
    connection.once('close', () => give('nobody'));
  });
}
