import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, flag } from './columns.ts';

/* Daemons and their leases. Times are of the database's clock. */

export const daemons = sqliteTable('daemons', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  works: flag('works'),
  livesUntilMs: atMs('lives_until_ms'),
});

/** A row outlives its lease, so that no fence is assigned twice. */
export const leases = sqliteTable('leases', {
  account: text('account').primaryKey(),
  holder: text('holder').notNull(),
  fence: integer('fence').notNull(),
  untilMs: atMs('until_ms'),
  sinceMs: atMs('since_ms').default(0),
});

/** Every configuration that was ever in force. The one with the highest generation is in force. */
export const configurations = sqliteTable(
  'configurations',
  {
    account,
    settings: text('settings').notNull(),
    generation: integer('generation').notNull(),
    broughtBy: text('brought_by').notNull(),
    sinceMs: atMs('since_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.settings] }),
    uniqueIndex('configurations_by_generation').on(t.account, t.generation),
  ],
);

/** Each daemon's configuration of each account. */
export const daemonConfigurations = sqliteTable(
  'daemon_configurations',
  {
    /** Empty: the only daemon of a private database. */
    daemon: text('daemon').notNull(),
    /** Empty: the configuration as a whole. */
    account,
    /** null: none that is usable. */
    settings: text('settings'),
    mayWork: flag('may_work'),
    problem: text('problem'),
  },
  (t) => [primaryKey({ columns: [t.daemon, t.account] })],
);

/** Sessions of the screen. They have no account, because a person sees all accounts. */
export const sessions = sqliteTable(
  'sessions',
  { hash: text('hash').primaryKey(), proof: text('proof').notNull(), endsAtMs: atMs('ends_at_ms') },
  (t) => [index('sessions_by_end').on(t.endsAtMs)],
);

export const answers = sqliteTable(
  'answers',
  {
    hash: text('hash').primaryKey(),
    requestHash: text('request_hash').notNull(),
    askedAtMs: atMs('asked_at_ms'),
    /** null: not answered yet. */
    answer: text('answer'),
  },
  (t) => [index('answers_by_time').on(t.askedAtMs)],
);

/** OAuth 2 tokens from token servers. They are the only secrets in this database. */
export const tokens = sqliteTable(
  'tokens',
  {
    account,
    side: text('side', { enum: ['marketplace', 'erp', 'redis'] }).notNull(),
    source: text('source').notNull(),
    version: integer('version').notNull(),
    /** Until then, one process alone may request the next tokens. */
    claimedUntilMs: atMs('claimed_until_ms'),
    /** Empty: no token yet. */
    accessToken: text('access_token').notNull().default(''),
    refreshToken: text('refresh_token'),
    obtainedAtMs: atMs('obtained_at_ms'),
    expiresAtMs: integer('expires_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.side, t.source] })],
);
