import { entriesOn, nobody, operator, orNull, withSharedParams } from './entry.ts';

/** @param daemons null: there is only one daemon */
const by = (daemons: string | null): string => (daemons === null ? '' : ` (${daemons})`);
const CORRECT = 'To see every error: stockbridge config check. Correct the file, then';
const PROBLEM = 'brands/north.yaml:4:14: accounts.north.currency: expected three capital letters, such as USD';

export const SETTING_CODES = entriesOn('configuration', {
  'settings-comparing': withSharedParams(
    [],
    nobody(
      'The configuration has changed, and not all entities have been compared with it yet',
      'Nothing to do: this clears when all lists have been read and all entities compared.',
    ),
  ),
  'configuration-unusable': withSharedParams(
    [],
    operator(
      ({ problem, daemons }) =>
        `The changed configuration has an error, so the previous one stays active${by(daemons)}: ${problem}`,
      `${CORRECT} send SIGHUP to the daemon.`,
      { problem: PROBLEM, daemons: orNull('berlin:4711') },
    ),
  ),
  'account-left-out': withSharedParams(
    [],
    operator(
      ({ problem, daemons }) =>
        `The account is not started${by(daemons)}, because its configuration has an error: ${problem}`,
      `${CORRECT} send SIGHUP to the daemon, or start it.`,
      { problem: PROBLEM, daemons: orNull('berlin:4711') },
    ),
  ),
  'configurations-differ': withSharedParams(
    [],
    operator(
      ({ daemons, broughtBy }) =>
        `Daemons have different configurations of the account. ${daemons} is on standby, because ${broughtBy} activated a newer one`,
      'Give every daemon the same file, and send SIGHUP to those whose file you changed. The file that was read last by SIGHUP counts as the newest, even if it is an older version.',
      { daemons: 'berlin:4711', broughtBy: 'madrid:4712' },
    ),
  ),
  'quota-untrue': withSharedParams(
    [],
    operator(
      () =>
        'Redis had impossible values of the API quota. Another program writes to Redis, or its clock was set back. The values were corrected, and calls continue',
      'Prevent other programs from writing there: use a Redis user of its own with a password, as in the examples in config/deploy. The alert clears an hour after the last such value.',
      {},
    ),
  ),
});
