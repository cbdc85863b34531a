import { index, sqliteTable, text } from '../orm.ts';
import { atMs } from './columns.ts';

/** Who is logged in to the screen. Of no account: a person sees them all. */
export const sessions = sqliteTable(
  'sessions',
  { hash: text('hash').primaryKey(), proof: text('proof').notNull(), endsAtMs: atMs('ends_at_ms') },
  (t) => [index('sessions_by_end').on(t.endsAtMs)],
);
