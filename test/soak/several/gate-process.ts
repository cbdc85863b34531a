import { serve } from '../../bench/support/rpc.ts';
import { forward } from './forward.ts';

/* Stands before PostgreSQL in a network namespace. The unix socket of PostgreSQL can be reached from any namespace. */

const api = {
  /** Returns the port. */
  async open(host: string, socket: string): Promise<number> {
    return (await forward(host, socket)).port;
  },
};

export type GateApi = typeof api;

serve(api);
