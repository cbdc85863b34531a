import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, flag } from './columns.ts';

/* The daemons, and their leases of accounts. Instants are of the database's clock. */

export const daemons = sqliteTable('daemons', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  works: flag('works'),
  livesUntilMs: atMs('lives_until_ms'),
});

/** A row stays when its lease is over, so that no fence is given twice. */
export const leases = sqliteTable('leases', {
  account: text('account').primaryKey(),
  holder: text('holder').notNull(),
  fence: integer('fence').notNull(),
  untilMs: atMs('until_ms'),
  sinceMs: atMs('since_ms').default(0),
});

/** The configurations of each account that were ever in force. The one with the highest generation is in force. */
export const configurations = sqliteTable(
  'configurations',
  {
    account,
    settings: text('settings').notNull(),
    generation: integer('generation').notNull(),
    /** The name of the daemon that brought it. */
    broughtBy: text('brought_by').notNull(),
    sinceMs: atMs('since_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.settings] }),
    uniqueIndex('configurations_by_generation').on(t.account, t.generation),
  ],
);

/** The configuration of each account as a daemon has it. */
export const daemonConfigurations = sqliteTable(
  'daemon_configurations',
  {
    /** The id of a daemon; empty for the one that works on a database of its own. */
    daemon: text('daemon').notNull(),
    /** Empty for the configuration as a whole. */
    account,
    /** null: the daemon has none that can be used. */
    settings: text('settings'),
    /** May the daemon work the account by this configuration? */
    mayWork: flag('may_work'),
    /** Why the file, as it is now, cannot be used; null: it can. */
    problem: text('problem'),
  },
  (t) => [primaryKey({ columns: [t.daemon, t.account] })],
);

/** The sessions of the screen. A session has no account, because a person sees all accounts. */
export const sessions = sqliteTable(
  'sessions',
  { hash: text('hash').primaryKey(), proof: text('proof').notNull(), endsAtMs: atMs('ends_at_ms') },
  (t) => [index('sessions_by_end').on(t.endsAtMs)],
);

/** The answers of acts that programs asked for under keys of their own. */
export const answers = sqliteTable(
  'answers',
  {
    hash: text('hash').primaryKey(),
    requestHash: text('request_hash').notNull(),
    askedAtMs: atMs('asked_at_ms'),
    /** null: the act is not answered yet. */
    answer: text('answer'),
  },
  (t) => [index('answers_by_time').on(t.askedAtMs)],
);

/** The tokens that a token server gave (OAuth 2). They are the only secrets in this database. */
export const tokens = sqliteTable(
  'tokens',
  {
    account,
    side: text('side', { enum: ['marketplace', 'erp', 'redis'] }).notNull(),
    source: text('source').notNull(),
    version: integer('version').notNull(),
    /** Until this time, one process has the right to ask for the next tokens. */
    claimedUntilMs: atMs('claimed_until_ms'),
    /** Empty: there is no token yet. */
    accessToken: text('access_token').notNull().default(''),
    refreshToken: text('refresh_token'),
    obtainedAtMs: atMs('obtained_at_ms'),
    expiresAtMs: integer('expires_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.side, t.source] })],
);
