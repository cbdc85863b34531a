import { serve } from '../../bench/support/rpc.ts';
import { forward } from './forward.ts';

/* Stands in a network namespace before PostgreSQL, whose unix socket is reached from any namespace. */

const api = {
  /** Answers the port. */
  async open(host: string, socket: string): Promise<number> {
    return (await forward(host, socket)).port;
  },
};

export type GateApi = typeof api;

serve(api);
