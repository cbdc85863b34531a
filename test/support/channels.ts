import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A chat that keeps its messages, and answers with the next of these statuses, then with 200. */
export async function startChat(...statuses: number[]) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200).end('thanks');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T0-a-secret` };
}

/** A mail server that lets everybody in and takes every mail. */
export async function startMail() {
  let heard = '';
  const mails: string[] = [];
  const server = createTcp((socket) => {
    let mail: string | null = null;
    socket.write('220 mail.test\r\n');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const told = String(chunk);
      heard += told;
      if (mail !== null) {
        mail += told;
        if (!mail.endsWith('\r\n.\r\n')) return;
        mails.push(mail);
        mail = null;
        socket.write('250 taken\r\n');
      } else if (/^DATA/m.test(told)) {
        mail = '';
        socket.write('354 go on\r\n');
      } else if (/^EHLO/m.test(told)) socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n');
      else socket.write(/^AUTH/m.test(told) ? '235 known\r\n' : '250 well\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { heard: () => heard, mails, port: (server.address() as AddressInfo).port };
}
