import { cause } from '../domain/causes/cause.ts';
import { alertOf, setAlert } from '../shadow/alerts.ts';
import type { AccountRecords } from '../shadow/context.ts';

/**
 * Fact: the settings under which all entities were compared. `NONE`: under no settings. Only entities with work are
 * written, so an entity without work is in step under these settings.
 */
const COMPARED_WITH = 'compared-with';
const NONE = '';
const ALERT = 'settings:changed';

type Compared = Pick<AccountRecords, 'account' | 'config' | 'store'>;

/**
 * Called before anything is written under new settings. Invalidates the last comparison, because entities were written
 * under other settings. Returns whether all entities must be compared again.
 */
export async function startComparison({ account, config, store }: Compared): Promise<boolean> {
  const before = await store.facts.get(account, COMPARED_WITH);
  if (before === config.settings) return false;
  if (before === null) {
    // In a new account every entity is new, and becomes work anyway.
    await store.facts.set(account, COMPARED_WITH, config.settings);
    return false;
  }
  if (before !== NONE) await store.facts.set(account, COMPARED_WITH, NONE);
  await setAlert({ account, store }, ALERT, [cause('settings-comparing')]);
  return true;
}

/** Called after all entities were compared: each one that is not in step has work now. */
export async function finishComparison({ account, config, store }: Compared): Promise<void> {
  if (await isCompared({ account, config, store })) return;
  await store.facts.set(account, COMPARED_WITH, config.settings);
  await setAlert({ account, store }, ALERT, []);
}

export async function isCompared({ account, config, store }: Compared): Promise<boolean> {
  return (await store.facts.get(account, COMPARED_WITH)) === config.settings;
}

/**
 * Returns whether a comparison is pending because settings changed, in any process. A daemon that takes over an account
 * raises the alert a moment later.
 */
export async function isComparing({ account, store }: Pick<Compared, 'account' | 'store'>): Promise<boolean> {
  if ((await alertOf({ account, store }, ALERT)).length > 0) return true;
  const believed = await store.facts.get(account, COMPARED_WITH);
  const { configured } = await store.leases.list();
  const inForce = configured.find((one) => one.account === account && one.isInForce && one.daemon !== '');
  return believed !== null && inForce !== undefined && inForce.settings !== believed;
}
