import { createAdmin } from '../../src/admin/server.ts';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { textRedactor } from '../../src/logging/redaction.ts';
import type { Session, SessionStore } from '../../src/store/sessions.ts';
import type { Store } from '../../src/store/store.ts';
import type { AdminContext } from '../../src/use/admin-context.ts';
import { createLive } from '../../src/use/live.ts';
import { createPlans } from '../../src/use/plans/plans.ts';
import { openStoredPlans } from '../../src/use/plans/stored.ts';
import { createTasks } from '../../src/use/tasks.ts';
import { createTriedSides } from '../../src/use/tried-sides.ts';
import { accountConfig } from '../flows/account.ts';

type Parts = Parameters<typeof createAdmin>[0];

/** Sessions in memory, which never end by time. */
export function sessionsInMemory(): SessionStore {
  const kept = new Map<string, Session>();
  return {
    begin: async (session) => void kept.set(session.hash, session),
    get: async (hash) => kept.get(hash) ?? null,
    end: async (hash) => kept.delete(hash),
  };
}

/** The one secret of the configuration. */
export const SECRET = 'a-secret-of-the-configuration';

/** The context of the screen without work in the background. */
export const QUIET: Pick<AdminContext, 'tasks' | 'plans' | 'live' | 'redact' | 'sides'> = {
  redact: textRedactor([SECRET]),
  live: createLive(null as never, {}),
  sides: createTriedSides({ reread: () => null, check: async function* () {}, secrets: () => [], now: Date.now }),
  tasks: createTasks(Date.now, () => {}),
  plans: createPlans({
    store: null as never,
    accounts: new Map(),
    plannedOf: () => {
      throw new Error('nothing is planned here');
    },
    stored: openStoredPlans('/nowhere', Date.now),
    tasks: createTasks(Date.now, () => {}),
    applying: null,
    isDryRun: false,
  }),
};

/** An admin server without data, except for the given parts. */
export function adminWith(parts: Pick<Parts, 'keys' | 'registry'> & Partial<Parts>) {
  return createAdmin({
    readiness: async () => ({ ready: true, reasons: [], unknown: [] }),
    sessions: sessionsInMemory(),
    passwords: { startingWith: async () => [] },
    base: '',
    hosts: [],
    trustedProxies: [],
    openedFor: () => {
      throw new Error('nothing is open here');
    },
    onFailure: () => {},
    ...parts,
  });
}

/** An admin server on this store, with the account main. */
export function adminOn(store: Store, keys: Parts['keys'], parts: Partial<Parts> = {}) {
  return adminWith({
    registry: createMetrics().registry,
    keys,
    sessions: store.sessions,
    passwords: store.facts,
    openedFor: ({ name }) => ({
      ...QUIET,
      live: createLive(store, { accounts: ['main'] }),
      config: {
        state: { dir: '/nowhere', postgres: null, redis: null },
        accounts: [accountConfig()],
        unusable: [],
      } as never,
      store,
      by: name,
      log: null as never,
    }),
    ...parts,
  });
}
