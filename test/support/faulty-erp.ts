import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as bodyOf } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface ErpCall {
  readonly method: string;
  /** `/v1/orders/SO-000001` */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Row | null;
}

export interface ErpAnswer {
  readonly status: number;
  readonly body: Row;
}

export interface Row {
  readonly [name: string]: unknown;
  readonly id?: string | undefined;
  readonly sku?: string | undefined;
  readonly status?: string | undefined;
  readonly total?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unit_price?: string | undefined;
  readonly lines?: readonly Row[] | undefined;
  readonly items?: readonly Row[] | undefined;
}

/** The misbehaviour of an ERP in a call. `ask` calls the honest ERP behind it. */
export type Misdeed = (call: ErpCall, ask: (call: ErpCall) => Promise<ErpAnswer>) => Promise<ErpAnswer>;

/** Starts a server of the contract in front of an honest one, which breaks a promise. Returns its address. */
export async function faultyErp(behind: string, misdeed: Misdeed): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = '' } = request.headers;
    const ask = async ({ method, path, query, body }: ErpCall): Promise<ErpAnswer> => {
      const text = query.toString().replaceAll('%2C', ',');
      const answer = await fetch(`${behind}${path}?${text}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Row };
    };
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', behind);
    const body = request.method === 'GET' ? null : ((await bodyOf(request)) as Row);
    const answer = await misdeed({ method: request.method ?? '', path, query, body }, ask);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
