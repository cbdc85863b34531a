import { Server } from 'node:net';

/* Loaded before EverShop, which would listen on every address of the machine. */

const listen = Reflect.get(Server.prototype, 'listen');

Object.assign(Server.prototype, {
  listen(this: Server, where: unknown, ...rest: unknown[]): unknown {
    const here = typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where;
    return Reflect.apply(listen, this, [here, ...rest]);
  },
});
