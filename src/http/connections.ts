import type { Server, Socket } from 'node:net';

/** The connections of a server, as far as their requests have arrived. */
export interface Connections {
  /** A whole request has arrived on this connection: the connection is kept until the answer is out. */
  arrived(socket: Socket): void;
  answered(socket: Socket): void;
}

/**
 * Bounds how many connections are held. A further connection takes the place of the oldest one on which no whole request has
 * arrived. So a client that sends slowly, or nothing, keeps nobody away.
 */
export function boundConnections(server: Server, max: number): Connections {
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= max) return;
    // When all other connections are being answered, the new one is closed.
    const [oldest = socket] = idle;
    idle.delete(oldest);
    oldest.destroy();
  });
  return {
    arrived(socket) {
      idle.delete(socket);
      busy.add(socket);
    },
    answered(socket) {
      if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    },
  };
}
