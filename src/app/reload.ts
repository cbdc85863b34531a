import type { AccountConfig, Config } from '../config/resolve.ts';
import { takenOver } from '../config/taken.ts';
import type { Core } from '../core/core.ts';
import type { OwnedAccounts } from '../daemon/owned-accounts.ts';

/** Changed secrets alone are no difference, because they are renewed separately. */
function differences(before: readonly AccountConfig[], after: readonly AccountConfig[]) {
  const settings = new Map(before.map((account) => [account.name, account.settings]));
  const names = new Set(after.map(({ name }) => name));
  const isChanged = (account: AccountConfig) =>
    settings.has(account.name) && settings.get(account.name) !== account.settings;
  return {
    added: [...names].filter((name) => !settings.has(name)),
    changed: after.filter(isChanged).map(({ name }) => name),
    removed: [...settings.keys()].filter((name) => !names.has(name)),
  };
}

/**
 * Applies one configuration at a time. Work on unchanged accounts, and on those with an unusable configuration,
 * continues.
 */
export function createReload(core: Core, owned: Pick<OwnedAccounts, 'reload'>) {
  const { config, log } = core;
  let last: Promise<unknown> = Promise.resolve();
  const take = async (next: Config): Promise<string[]> => {
    const { accounts, unusable } = takenOver(config.accounts, next);
    const { added, changed, removed } = differences(config.accounts, accounts);
    for (const [names, said] of [
      [added, 'accounts are new: the work on them begins'],
      [changed, 'accounts have changed: the work on them begins anew'],
      [removed, 'accounts are gone from the configuration: the work on them ends'],
    ] as const) {
      if (names.length > 0) log.info({ accounts: names }, said);
    }
    const stale = new Set([...changed, ...removed]);
    await owned.reload(stale, () => core.take({ accounts, unusable }, stale));
    return [...added, ...changed, ...removed];
  };
  return (present: Config): Promise<string[] | null> => {
    const taken = last
      .then(() => take(present))
      .catch((error: unknown) => {
        log.error({ err: error }, 'accounts could not be put in force: send SIGHUP again');
        return null;
      });
    last = taken;
    return taken;
  };
}
