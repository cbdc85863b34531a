import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server on loopback, and may cut a connection. */
export interface Door {
  readonly port: number;
  /**
   * Called with the bytes from the client. The result decides whether they pass, and whether the connection is cut before or
   * after that.
   */
  onSend: (text: string) => 'pass' | 'cut before' | 'cut after';
  close(): Promise<void>;
}

export async function openDoor(port: number): Promise<Door> {
  const sockets = new Set<Socket>();
  const door: { onSend: Door['onSend'] } = { onSend: () => 'pass' };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let deaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (!deaf) for (const other of [client, upstream]) other.destroy();
      });
    }
    client.on('data', (bytes) => {
      const way = door.onSend(bytes.toString('latin1'));
      if (way !== 'cut before') upstream.write(bytes);
      if (way === 'pass') return;
      deaf = way === 'cut after';
      client.destroy();
      // The server reads the request, but its answer reaches nobody.
      if (deaf) upstream.end();
      else upstream.destroy();
    });
    upstream.on('data', (bytes) => void (deaf || client.write(bytes)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return Object.assign(door, {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}
