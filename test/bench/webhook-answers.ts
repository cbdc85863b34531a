import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Figure, grouped } from './support/figure.ts';
import { median, openRig } from './support/rig.ts';
import { type Signed, sendAll, signed } from './support/signed.ts';

/** The receiver takes a burst of 5,000 from an account, and a few hundred a second in the long run. */
const WEBHOOKS = 1_500;
const ROUNDS = 3;
const CONNECTIONS = 64;

/** Webhooks answered in a second, each on the disk by then, compared with a server that only answers. */
export async function webhookAnswers(): Promise<Figure[]> {
  const rig = await openRig({ products: 10, limits: false });
  const daemon = await rig.startDaemon({ unlimited: true, roles: ['receive'] });
  const bare = await bareServer();
  const durable: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const hooks = Array.from({ length: WEBHOOKS }, (_, index) => hook(`${round}-${index}`));
    plain.push(await rate(bare.url, hooks));
    durable.push(await rate(daemon.receiverUrl, hooks));
  }
  const kept = await daemon.api.unseenWebhooks();
  bare.close();
  await rig.close();
  return [
    {
      what: `webhooks answered once they are on the disk, over ${CONNECTIONS} connections`,
      value: `${grouped(median(durable))} a second; ${grouped(kept)} of ${grouped(ROUNDS * WEBHOOKS)} are there`,
      comparedTo: `${grouped(median(plain))} a second of a bare node:http server that reads the body and answers; medians of ${ROUNDS}`,
      met: kept === ROUNDS * WEBHOOKS,
    },
  ];
}

function hook(id: string): Signed {
  const lines = Array.from({ length: 3 }, (_, line) => ({ id: line, product: line, quantity: 2, frozen_data: {} }));
  return signed(JSON.stringify({ action: 'edit', type: 'order', data: { number: id, orderedproduct_set: lines } }));
}

async function rate(url: string, hooks: readonly Signed[]): Promise<number> {
  const startedMs = performance.now();
  await sendAll(url, hooks, { connections: CONNECTIONS });
  return (hooks.length * 1_000) / (performance.now() - startedMs);
}

async function bareServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(202).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
