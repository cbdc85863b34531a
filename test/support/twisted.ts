import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/** An answer of a side, before and after the change. */
export interface Answer {
  readonly method: string;
  /** Path and query of the call. */
  readonly target: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A changed answer. `cut`: the connection ends before the body is whole. */
export type Twisted = Pick<Answer, 'status' | 'headers' | 'body'> & { readonly cut?: boolean };

/** A request on its way to a side. */
export interface Asked extends Pick<Answer, 'method' | 'target'> {
  readonly body: string;
}

/** A door before a side. Requests may be changed on their way, and answers on their way back. */
export interface Door {
  readonly url: string;
  /** Makes another body of a request; null: requests pass as they are. */
  reword: ((asked: Asked) => string) | null;
  /** null: answers pass as they are. */
  twist: ((answer: Answer) => Twisted) | null;
  close(): Promise<void>;
}

const OWN_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

export async function openDoor(side: string): Promise<Door> {
  const server = createServer((incoming, outgoing) => {
    void pass().catch(() => outgoing.destroy());
    async function pass(): Promise<void> {
      const sent: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) sent.push(chunk);
      const { method = 'GET', url = '/' } = incoming;
      const asked = { method, target: url, body: Buffer.concat(sent).toString() };
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name)),
      );
      const reply = await request(side + url, {
        method: method as 'GET',
        headers,
        body: sent.length === 0 ? null : door.reword === null ? Buffer.concat(sent) : door.reword(asked),
      });
      const body = Buffer.from(await reply.body.arrayBuffer());
      const answer: Answer = { method, target: url, status: reply.statusCode, headers: reply.headers, body };
      const twisted: Twisted = door.twist === null ? answer : door.twist(answer);
      const kept = Object.entries(twisted.headers).filter(([name]) => !OWN_HEADERS.includes(name));
      if (twisted.status !== 204) kept.push(['content-length', String(twisted.body.length + (twisted.cut ? 1 : 0))]);
      outgoing.writeHead(twisted.status, Object.fromEntries(kept));
      if (twisted.cut) outgoing.write(twisted.body, () => outgoing.destroy());
      else outgoing.end(twisted.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const door: Door = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reword: null,
    twist: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return door;
}

/** Changes the JSON of an answer. */
export function retold(answer: Answer, change: (said: never) => unknown): Twisted {
  return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString()) as never))) };
}
