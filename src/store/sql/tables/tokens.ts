import { integer, primaryKey, sqliteTable, text } from '../orm.ts';
import { account, atMs } from './columns.ts';

/** Tokens that a token server gave (OAuth 2): secrets, and the only ones in this database. */
export const tokens = sqliteTable(
  'tokens',
  {
    account,
    side: text('side', { enum: ['marketplace', 'erp', 'redis'] }).notNull(),
    source: text('source').notNull(),
    version: integer('version').notNull(),
    /** Until then, one process may ask for the next ones. */
    claimedUntilMs: atMs('claimed_until_ms'),
    /** Empty: none yet. */
    accessToken: text('access_token').notNull().default(''),
    refreshToken: text('refresh_token'),
    obtainedAtMs: atMs('obtained_at_ms'),
    expiresAtMs: integer('expires_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.side, t.source] })],
);
