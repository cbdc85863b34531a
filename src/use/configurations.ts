import type { Unusable } from '../config/problem.ts';
import { type Cause, cause, sharedOf, shownCause } from '../domain/causes/cause.ts';
import type { DaemonConfiguration, Standing } from '../store/leases.ts';
import type { Need } from './needs.ts';

type AccountStanding = Pick<Standing, 'configured' | 'inForce' | 'daemons'>;

/**
 * Faults in the daemons' configurations, by account; an empty name is the whole configuration.
 * @param own this program's own reading, if no daemon reports
 * @param isRunning whether a daemon runs on this machine; elsewhere only live ones report
 */
export function configurationNeeds(
  told: AccountStanding,
  own: readonly Unusable[],
  isRunning: boolean,
): Map<string, Need[]> {
  const rows = told.configured.filter(({ daemon }) => daemon !== '' || isRunning);
  if (rows.length === 0)
    return new Map(
      own.map(({ account, problem }) => [account, [needOf(cause('account-left-out', { problem, daemons: null }))]]),
    );
  const nameOf = new Map(told.daemons.map(({ id, name }) => [id, name]));
  const namesOf = (of: readonly DaemonConfiguration[]): string | null =>
    of.flatMap(({ daemon }) => nameOf.get(daemon) ?? []).join(', ') || null;
  const byAccount = Map.groupBy(rows, ({ account }) => account);
  return new Map(
    [...byAccount].map(([account, of]) => {
      const causes: Cause[] = [...Map.groupBy(of, ({ problem }) => problem)].flatMap(([problem, those]) => {
        if (problem === null) return [];
        const isLeftOut = account !== '' && of.every(({ settings }) => settings === null);
        return cause(isLeftOut ? 'account-left-out' : 'configuration-unusable', { problem, daemons: namesOf(those) });
      });
      const newest = told.inForce.find((one) => one.account === account);
      const behind = of.filter(({ settings, isInForce }) => settings !== null && !isInForce);
      const differ =
        newest === undefined || behind.length === 0
          ? []
          : [cause('configurations-differ', { daemons: namesOf(behind) ?? '', broughtBy: newest.broughtBy })];
      return [account, [...causes, ...differ].map(needOf)];
    }),
  );
}

/** The need for a configuration that this program cannot use. */
export function unusableNeed({ problem }: Unusable): Need {
  return needOf(cause('configuration-unusable', { problem, daemons: null }));
}

function needOf(why: Cause): Need {
  return {
    kind: 'configuration',
    about: 'configuration',
    shared: sharedOf(why),
    count: 1,
    firstMs: null,
    lastMs: null,
    example: { key: 'its file', ...shownCause(why) },
    first: null,
    away: null,
  };
}
