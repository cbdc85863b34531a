import { createConnection, createServer, type Socket } from 'node:net';

/** The line between one daemon and PostgreSQL: it can be cut, so that neither hears of the other, and nobody is told. */
export async function openLine(port: () => number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  const hold = (pair: readonly [Socket, Socket]) => pair.forEach((end) => (isCut ? end.pause() : end.resume()));
  const server = createServer((near) => {
    const far = createConnection(port(), '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => near.write(data));
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on('error', () => {});
      one.once('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    hold(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut(): void {
      isCut = true;
      pairs.forEach(hold);
    },
    mend(): void {
      isCut = false;
      pairs.forEach(hold);
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const [near] of pairs) near.destroy();
      await closed;
    },
  };
}

export type Line = Awaited<ReturnType<typeof openLine>>;
