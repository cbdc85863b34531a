import { nobody, on, operator, orNull, sharing } from './entry.ts';

/** @param daemons null: there is only one daemon */
const by = (daemons: string | null): string => (daemons === null ? '' : ` (${daemons})`);
const CORRECT = '"stockbridge config check" tells every error. Correct the file, then';
const PROBLEM = 'brands/north.yaml:4:14: accounts.north.currency: expected three capital letters, such as USD';

export const SETTING_CODES = on('configuration', {
  'settings-comparing': sharing(
    [],
    nobody(
      'The settings have changed, and not every entity has been compared with them yet',
      'Nothing to do: it ends when the lists have been read and everything has been looked at.',
    ),
  ),
  'configuration-unusable': sharing(
    [],
    operator(
      ({ problem, daemons }) =>
        `The configuration cannot be used as it is now, so the one in force stays${by(daemons)}: ${problem}`,
      `${CORRECT} send SIGHUP to the daemon.`,
      { problem: PROBLEM, daemons: orNull('berlin:4711') },
    ),
  ),
  'account-left-out': sharing(
    [],
    operator(
      ({ problem, daemons }) =>
        `The account is left out${by(daemons)}, because its configuration cannot be used: ${problem}`,
      `${CORRECT} send SIGHUP to the daemon, or start it.`,
      { problem: PROBLEM, daemons: orNull('berlin:4711') },
    ),
  ),
  'configurations-differ': sharing(
    [],
    operator(
      ({ daemons, broughtBy }) =>
        `Daemons have different configurations of the account: ${daemons} stands by, because ${broughtBy} brought a newer one into force`,
      'Give every daemon the same file, and send SIGHUP to those whose file you changed. A file that you set back and read by SIGHUP counts as the newest.',
      { daemons: 'berlin:4711', broughtBy: 'madrid:4712' },
    ),
  ),
  'quota-untrue': sharing(
    [],
    operator(
      () =>
        'Redis held figures of the quota that cannot be true: another program writes to it, or its clock was set back. They were corrected, and calls go on',
      'Let no other program write there: give Redis a password and a user of its own, as the examples in config/deploy do. It ends an hour after the last such figure.',
      {},
    ),
  ),
});
