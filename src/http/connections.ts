import type { Server, Socket } from 'node:net';

export interface Connections {
  /** A whole request has arrived, so the connection is kept until the answer is sent. */
  arrived(socket: Socket): void;
  answered(socket: Socket): void;
}

/**
 * A further connection replaces the oldest without a complete request, so a slow or silent client keeps nobody away.
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
    // If all other connections are being answered, the new one is closed.
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
