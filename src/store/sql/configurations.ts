import { shouldActivate } from '../../domain/active-config.ts';
import type { Configured, Daemon, DaemonConfiguration, InForce, Standing } from '../leases.ts';
import type { Queryable, Readable } from './database.ts';
import { and, asc, eq, lte, ne, sql } from './orm.ts';
import { conflictKey, deleteWhere } from './queries.ts';
import { configurations, daemonConfigurations, daemons } from './tables/access.ts';

const REMEMBERED = 100;

export function configurationsOf(
  db: Readable,
  living: ReadonlySet<string>,
): { readonly configured: DaemonConfiguration[]; readonly inForce: InForce[] } {
  const { account, settings, broughtBy, sinceMs, generation } = configurations;
  const newest = sql`(select max(newer.generation) from ${configurations} newer where newer.account = ${account})`;
  const inForce = db
    .select({ account, settings, broughtBy, sinceMs })
    .from(configurations)
    .where(eq(generation, newest))
    .all();
  const settingsOf = new Map(inForce.map((one) => [one.account, one.settings]));
  const had = db
    .select()
    .from(daemonConfigurations)
    .orderBy(asc(daemonConfigurations.daemon), asc(daemonConfigurations.account))
    .all();
  const configured = had
    .filter(({ daemon }) => living.has(daemon))
    .map((one) => ({ ...one, isInForce: one.settings !== null && settingsOf.get(one.account) === one.settings }));
  return { configured, inForce };
}

/** Stores the configurations of a daemon, and puts newer ones into force. @param standing the state before */
export function announced(
  tx: Queryable,
  { id, name }: Pick<Daemon, 'id' | 'name'>,
  configured: readonly Configured[],
  standing: Standing,
  nowMs: number,
): void {
  const working = new Set(standing.daemons.filter(({ works }) => works).map((one) => one.id));
  for (const { account, settings, mayWork } of configured) {
    if (settings === null || !mayWork) continue;
    const generations = new Map(
      tx
        .select({ settings: configurations.settings, generation: configurations.generation })
        .from(configurations)
        .where(eq(configurations.account, account))
        .all()
        .map((one) => [one.settings, one.generation]),
    );
    const had = (text: string) => ({ settings: text, generation: generations.get(text) ?? null });
    const inForce = standing.inForce.find((one) => one.account === account);
    const others = standing.configured.flatMap((one) =>
      one.account === account && one.daemon !== id && working.has(one.daemon) && one.mayWork && one.settings !== null
        ? [had(one.settings)]
        : [],
    );
    const before = standing.configured.find((one) => one.account === account && one.daemon === id)?.settings ?? null;
    const comes = shouldActivate({
      ...had(settings),
      before,
      inForce: inForce === undefined ? null : had(inForce.settings),
      others,
    });
    if (comes) bring(tx, { account, settings, broughtBy: name, sinceMs: nowMs }, Math.max(0, ...generations.values()));
  }
  tx.delete(daemonConfigurations).where(eq(daemonConfigurations.daemon, id)).run();
  for (const one of configured) {
    const { account, settings, mayWork, problem } = one;
    tx.insert(daemonConfigurations).values({ daemon: id, account, settings, mayWork, problem }).run();
  }
}

function bring(tx: Queryable, one: InForce, last: number): void {
  const { account, settings, broughtBy, sinceMs } = one;
  const generation = last + 1;
  tx.insert(configurations)
    .values({ account, settings, broughtBy, sinceMs, generation })
    .onConflictDoUpdate({
      target: conflictKey(configurations.account, configurations.settings),
      set: { broughtBy, sinceMs, generation },
    })
    .run();
  deleteWhere(
    tx,
    configurations,
    and(eq(configurations.account, account), lte(configurations.generation, generation - REMEMBERED)),
  );
}

export function forgetEnded(tx: Queryable): void {
  const daemonIds = sql`(select ${daemons.id} from ${daemons})`;
  const isUnknown = sql`${daemonConfigurations.daemon} not in ${daemonIds}`;
  deleteWhere(tx, daemonConfigurations, and(ne(daemonConfigurations.daemon, ''), isUnknown));
}
