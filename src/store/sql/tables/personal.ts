import { primaryKey, sqliteTable, text } from '../orm.ts';
import { account, atMs } from './columns.ts';

/** What was forgotten. Reads take in nothing of the person again while a mark stands. */
export const forgotten = sqliteTable(
  'forgotten',
  {
    account,
    kind: text('kind', { enum: ['order', 'erp-order', 'customer', 'erp-customer'] }).notNull(),
    /** The order's number, the ids of the other three. */
    id: text('id').notNull(),
    forgottenAtMs: atMs('forgotten_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] })],
);
