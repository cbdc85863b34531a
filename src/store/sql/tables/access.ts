import { index, integer, primaryKey, sqliteTable, text } from '../orm.ts';
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

/** The sessions of the screen. A session has no account, because a person sees all accounts. */
export const sessions = sqliteTable(
  'sessions',
  { hash: text('hash').primaryKey(), proof: text('proof').notNull(), endsAtMs: atMs('ends_at_ms') },
  (t) => [index('sessions_by_end').on(t.endsAtMs)],
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
