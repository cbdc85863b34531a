import { integer, primaryKey, sqliteTable, text } from '../orm.ts';
import { account, atMs } from './columns.ts';

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
