import { existsSync } from 'node:fs';
import type { Config } from '../../config/resolve.ts';
import { standingOf } from '../../flows/engine/strategy-change.ts';
import type { Log } from '../../logging.ts';
import { openStore } from '../../state.ts';
import { databasePath } from '../../store/sqlite/database.ts';
import { type Finding, failed, warn } from './finding.ts';

/** Accounts whose configured strategy waits for an approval. Expects a database that is up to date, or none. */
export async function checkStrategies(config: Config, log: Log): Promise<Finding[]> {
  try {
    if (!existsSync(databasePath(config.state.dir))) return [];
    const { store, close } = await openStore(config, log);
    try {
      const findings: Finding[] = [];
      for (const { name: account, inventory } of config.accounts) {
        const standing = await standingOf({ account, store }, inventory.strategy);
        if (standing.kind === 'waits') findings.push({ ...warn('strategy', standing.reason, null), account });
      }
      return findings;
    } finally {
      close();
    }
  } catch (error) {
    return [failed('strategy', error)];
  }
}
