import { integer, sqliteTable, text } from '../orm.ts';
import { atMs, flag } from './columns.ts';

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
