import { cause } from '../domain/causes/cause.ts';
import { alertOf, setAlert } from '../shadow/alerts.ts';
import type { AccountRecords } from '../shadow/context.ts';

/**
 * Fact: the settings under which every entity without work is in step; `NONE` while this is known of no settings. An entity is
 * written only while it has work, so what holds for all the others holds for each of them.
 */
const COMPARED_WITH = 'compared-with';
const NONE = '';
const ALERT = 'settings:changed';

type Compared = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/**
 * To be called before anything is written under these settings. When all was compared under others, that is believed no more:
 * a setting that is taken back meets entities that were written under it. Answers whether a pass over everything has to follow.
 */
export async function believesOnly({ account, config, store }: Compared): Promise<boolean> {
  const before = await store.facts.get(account, COMPARED_WITH);
  if (before === config.settings) return false;
  if (before === null) {
    // A new account: every entity is new, and is looked at anyway.
    await store.facts.set(account, COMPARED_WITH, config.settings);
    return false;
  }
  if (before !== NONE) await store.facts.set(account, COMPARED_WITH, NONE);
  await setAlert({ account, store }, ALERT, [cause('settings-comparing')]);
  return true;
}

/** To be called after a whole pass under these settings: every entity that is not in step has work now. */
export async function noteCompared({ account, config, store }: Compared): Promise<void> {
  if (await isCompared({ account, config, store })) return;
  await store.facts.set(account, COMPARED_WITH, config.settings);
  await setAlert({ account, store }, ALERT, []);
}

export async function isCompared({ account, config, store }: Compared): Promise<boolean> {
  return (await store.facts.get(account, COMPARED_WITH)) === config.settings;
}

/**
 * Does a pass over everything have to follow, because the settings have changed? For every process, whatever settings it has read. A
 * daemon that takes an account over says so itself a moment later only.
 */
export async function isComparing({ account, store }: Pick<Compared, 'account' | 'store'>): Promise<boolean> {
  if ((await alertOf({ account, store }, ALERT)).length > 0) return true;
  const believed = await store.facts.get(account, COMPARED_WITH);
  const { configured } = await store.leases.list();
  const inForce = configured.find((one) => one.account === account && one.isInForce && one.daemon !== '');
  return believed !== null && inForce !== undefined && inForce.settings !== believed;
}
