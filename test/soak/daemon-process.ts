import { openSync, writeSync } from 'node:fs';
import { type App, startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ROLES } from '../../src/daemon/roles.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { serve } from '../bench/support/rpc.ts';

/* The daemon as `stockbridge run` starts it, with retentions that are short enough to matter within a soak. */

const STOP_LIMIT_MS = 20_000;

let app: App;

const api = {
  async start(options: { configFile: string; logFile: string; retentionMs: number }) {
    const { config, secrets } = loadConfig(options.configFile, {});
    const fd = openSync(options.logFile, 'a');
    const log = createLogger({ level: config.logLevel, secrets, to: { write: (line) => writeSync(fd, line) } });
    const retention = {
      journalMs: options.retentionMs,
      inboxMs: options.retentionMs,
      ordersMs: null,
      customersMs: null,
    };
    app = await startApp({ config: { ...config, retention }, log }, ROLES);
    return { receiverUrl: app.receiverUrl ?? '' };
  },

  /** Why the daemon is not ready. */
  async lacking(): Promise<readonly string[]> {
    return (await app.readiness()).reasons;
  },

  stop: () => app.stop(STOP_LIMIT_MS),
};

export type SoakDaemonApi = typeof api;

serve(api);
