import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { createContractErp } from '../../../src/erp/contract/connector.ts';

/** After every time that the tests' answers name. */
const DATE = new Date(Date.UTC(2030, 1, 1)).toUTCString();

export interface Answering {
  readonly url: string;
  /** Path and query of every request, in the order they came. */
  readonly asked: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A server on loopback that answers as the test says. */
export async function answering(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Answering> {
  const asked: string[] = [];
  const server = await onLoopback((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('date', DATE);
    answer(request, response);
  });
  return { ...server, asked };
}

export async function onLoopback(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close, [Symbol.asyncDispose]: close };
}

/** The connector for the contract over this server. */
export function erpAt(server: Answering): ErpConnector & AsyncDisposable {
  const erp = createContractErp({ url: server.url, token: 'sesame-4711', timeoutMs: 10_000 });
  return Object.assign(erp, { [Symbol.asyncDispose]: () => erp.close() });
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The answer of a list in one page. */
export function onePage(items: readonly unknown[], more: Record<string, unknown> = {}) {
  return { items, next: null, as_of: '2030-01-01T00:00:00.000Z', complete: true, ...more };
}
