import { index, sqliteTable, text } from '../orm.ts';
import { atMs } from './columns.ts';

/** The sessions of the screen. A session has no account, because a person sees all accounts. */
export const sessions = sqliteTable(
  'sessions',
  { hash: text('hash').primaryKey(), proof: text('proof').notNull(), endsAtMs: atMs('ends_at_ms') },
  (t) => [index('sessions_by_end').on(t.endsAtMs)],
);
