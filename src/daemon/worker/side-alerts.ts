import type { Side } from '../../domain/failure.ts';
import type { Log } from '../../logging/logging.ts';
import { watchEventLoop } from '../../machine/event-loop.ts';
import { noteSide, noteSlow, noteWait } from '../../shadow/alerts.ts';
import type { Store } from '../../store/store.ts';
import { createHealth, type SideHealth } from './health.ts';

type Noted = Parameters<typeof noteSide>[0];

/**
 * Each change is logged, and an alert stays until the side answers.
 * @param storeOf the store of an account that is worked here; for others nothing is stored
 * @param onBack called when a side answers again
 */
export function watchSides(
  storeOf: (account: string) => Pick<Store, 'facts'> | undefined,
  log: Log,
  onBack: (account: string) => void,
) {
  const loop = watchEventLoop();
  // Alerts are written one at a time, in order.
  let last = Promise.resolve();
  const put = (account: string, side: Side, noted: (account: Noted) => Promise<void>): void => {
    last = last
      .then(async () => {
        const store = storeOf(account);
        if (store !== undefined) await noted({ account, store });
      })
      // Readiness reports a database that cannot be written.
      .catch((error: unknown) => log.warn({ account, side, err: error }, 'the alert could not be stored'));
  };
  const note = (account: string, side: Side, { state, message, sinceMs }: SideHealth): void => {
    const kind = state === 'down' ? 'unavailable' : 'credentials';
    const fault = state === 'ok' ? null : ({ kind, message: message ?? state } as const);
    put(account, side, (noted) => noteSide(noted, side, fault, sinceMs));
  };
  const noteOrdered = (account: string, side: Side, waitMs: number | null): void => {
    if (side === 'redis') return;
    if (waitMs !== null) log.warn({ account, side, delayMs: waitMs }, 'a side orders a long wait');
    put(account, side, (noted) => noteWait(noted, side, waitMs));
  };
  const noteAnswers = (account: string, side: Side, tookMs: number | null): void => {
    if (side === 'redis') return;
    if (tookMs !== null) log.warn({ account, side, delayMs: Math.round(tookMs) }, 'a side answers slowly');
    put(account, side, (noted) => noteSlow(noted, side, tookMs));
  };
  const health = createHealth(
    Date.now,
    (account, side, present, before) => {
      const { state } = present;
      if (state !== 'ok') log.error({ account, side, state }, 'a side does not answer, or refuses the credentials');
      else if (before !== null) {
        log.info({ account, side }, 'a side answers again');
        onBack(account);
      }
      note(account, side, present);
    },
    noteOrdered,
    noteAnswers,
    { steadyMs: () => performance.now(), stoodStillMs: loop.stoodStillMs },
  );
  return {
    health,
    /** Resolves once every alert is stored. */
    stop(): Promise<void> {
      loop.stop();
      return last;
    },
  };
}
