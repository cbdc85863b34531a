import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Echoing {
  readonly url: string;
  /** The number of calls that were answered with their own headers. */
  echoed(): number;
  close(): void;
}

/**
 * Stands before one side and echoes requests, above all their credentials. Reads go through, with the credentials in a header
 * of the answer. Writes are refused with all headers of the request in the error.
 */
export async function startEchoing(upstream: string): Promise<Echoing> {
  let echoed = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', headers } = request;
      response.setHeader('x-echo', String(headers.authorization));
      response.setHeader('content-type', 'application/json');
      const body = await text(request);
      if (method === 'GET') {
        const answer = await passOn(upstream, request);
        response.writeHead(answer.status).end(await answer.text());
        return;
      }
      echoed += 1;
      const shown = { ...headers, body };
      const error = `${headers.authorization} may not do that (${JSON.stringify(headers.authorization)})`;
      response.writeHead(422, { 'www-authenticate': `${headers.authorization}` });
      response.end(JSON.stringify({ error, detail: error, sku: [error], [String(headers.authorization)]: shown }));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    echoed: () => echoed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(upstream: string, { url = '/', headers }: IncomingMessage): Promise<Response> {
  const { host: _host, connection: _connection, ...rest } = headers;
  return fetch(upstream + url, { headers: rest as Record<string, string> });
}
