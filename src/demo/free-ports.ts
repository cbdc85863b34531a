import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Two different ones: both are taken before the first is given back. */
export async function twoFreePorts(): Promise<readonly [number, number]> {
  const [one, other] = [await taken(), await taken()];
  return [await one.giveBack(), await other.giveBack()];
}

async function taken(): Promise<{ giveBack(): Promise<number> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { giveBack: () => new Promise((resolve) => server.close(() => resolve(port))) };
}
