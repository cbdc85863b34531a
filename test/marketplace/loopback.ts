import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type ClientSettings, createMarketplaceClient, type MarketplaceClient } from '../../src/marketplace/client.ts';
import { type Governor, type Lane, type QuotaHeaders, UNLIMITED } from '../../src/marketplace/quota.ts';

export const KEY = 'sk_live_d0ntshowme';
export const ORDER = '6f1c1f3e-0d1a-4f59-9f0e-0d9f6c1d2b3a';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server that answers each request as told, and remembers it. */
export async function startHttp(reply: (request: Received) => Reply): Promise<Loopback & { received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(seen);
      const { status = 200, headers: answered = {}, body = '' } = reply(seen);
      response.writeHead(status, { 'content-type': 'application/json', ...answered }).end(body);
    });
  });
  return { ...(await listen(server)), received };
}

/** A TCP server that hands over each connection once the head of a request has come, and again for each one more. */
export async function startTcp(onRequest: (socket: Socket, count: number) => void): Promise<Loopback> {
  let count = 0;
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (/^[A-Z]+ \//.test(chunk.toString('latin1'))) onRequest(socket, ++count);
    });
  });
  return listen(server);
}

async function listen(server: Server): Promise<Loopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Lets every call through and remembers the observed headers. */
export function openGovernor(): Governor & { lanes: Lane[]; observed: QuotaHeaders[] } {
  const lanes: Lane[] = [];
  const observed: QuotaHeaders[] = [];
  return {
    lanes,
    observed,
    async acquire(lane) {
      lanes.push(lane);
      return UNLIMITED;
    },
    observe: async (headers) => void observed.push(headers),
  };
}

export function clientFor(baseUrl: string, settings: Partial<ClientSettings> = {}): MarketplaceClient {
  return createMarketplaceClient({
    baseUrl,
    version: '2022-10-31',
    auth: { scheme: 'app', key: KEY },
    timeoutMs: 20_000,
    governor: openGovernor(),
    ...settings,
  });
}

/** A row of the order list that fits. */
export const ORDER_JSON = `{"number":"${ORDER}","status":"Submitted","modified":"2024-05-01T10:00:00.123456Z","customer":{"id":7},
"discount_amount":1.50,"external_id":null,"line_items":[{"id":1,"product":11,"quantity":"2.0000",
"ordered_unit_price":{"amount":12.10,"currency":"USD"},"unit_multiplier":12}]}`;
