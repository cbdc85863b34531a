import { cause } from '../../domain/causes/cause.ts';
import { SLOW_MS } from '../../domain/freshness.ts';
import { ageLists } from '../../flows/list-ages.ts';
import type { Log } from '../../logging/logging.ts';
import { descriptors } from '../../machine/descriptors.ts';
import { setAlert } from '../../shadow/alerts.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { Health } from './health.ts';

const LOOK_EVERY_MS = 5_000;

/**
 * Lists that are late although their side answers quickly (I18). Age counts from the first check that finds a list read
 * anew, so neither the time before the start nor a changed clock counts.
 */
export async function listsLateByUs({ account, config, store }: AccountRecords, health: Health): Promise<string[]> {
  const ages = await ageLists(config, store, (collection, times) =>
    health.unchangedMs(`${account}/${collection}`, times.join()),
  );
  const isOurs = ages.filter(
    ({ side, late }) => late && health.isWell(account, side) && health.isWell(account, 'redis'),
  );
  return isOurs.map(({ collection }) => collection);
}

/** Raises an alert while a list is late by our own fault, or this program lacks file descriptors or stands still. */
export function watchFreshness(context: AccountRecords, health: Health, log: Log): { stop(): Promise<void> } {
  const look = async () => {
    const lists = await listsLateByUs(context, health);
    const causes = lists.length === 0 ? [] : [cause('lists-late', { lists: lists.join(', ') })];
    if ((await setAlert(context, 'lists:late', causes)) && lists.length > 0)
      log.warn({ account: context.account, read: lists.join() }, 'lists are late, and their side is not');
  };
  const lookAtDescriptors = async () => {
    const causes = health.lacksDescriptors()
      ? [cause('no-descriptors', { allowed: descriptors()?.allowed ?? null })]
      : [];
    if ((await setAlert(context, 'machine:descriptors', causes)) && causes.length > 0)
      log.error({ account: context.account }, 'no file descriptors are left, so calls cannot be made');
  };
  const lookAtLoop = async () => {
    const tookMs = health.stoodStillMs();
    const causes = tookMs < SLOW_MS ? [] : [cause('stood-still', { seconds: Math.round(tookMs / 1000) })];
    if ((await setAlert(context, 'machine:loop', causes)) && causes.length > 0)
      log.error({ account: context.account, delayMs: Math.round(tookMs) }, 'this program stood still');
  };
  const unknown = (error: unknown) => log.debug({ err: error }, 'the ages of the lists are not known');
  let looking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    looking = Promise.all([look(), lookAtDescriptors(), lookAtLoop()]).catch(unknown);
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      await setAlert(context, 'lists:late', []).catch(unknown);
    },
  };
}
