import { changedSettings } from '../config/changed.ts';
import type { Config } from '../config/resolve.ts';
import type { Core } from '../core/core.ts';

const MOST_NAMED = 50;

/**
 * Reports the names of changed settings.
 * @param masked the configuration as read at the start
 */
export function createReread(
  { credentials, log }: Pick<Core, 'credentials' | 'log'>,
  reload: (present: Config) => Promise<readonly string[] | null>,
  masked: unknown,
): () => Promise<void> {
  let lastMasked = masked;
  return async () => {
    const next = credentials.reread();
    if (next === null) return;
    const settings = changedSettings(lastMasked, next.masked, MOST_NAMED);
    lastMasked = next.masked;
    const accounts = await reload(next.config);
    if (accounts === null) return;
    const isSame = settings.length + accounts.length + next.newSecrets.length + next.config.unusable.length === 0;
    if (isSame) log.info('configuration read again: nothing changed');
    else if (settings.length > 0)
      log.info({ changed: settings }, 'configuration read again: these settings have changed');
  };
}
