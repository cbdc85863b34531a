import { primaryKey, sqliteTable, text } from '../orm.ts';
import { account, atMs } from './columns.ts';

/** The marks of forgotten entities. While a mark stands, reads store nothing about the person again. */
export const forgotten = sqliteTable(
  'forgotten',
  {
    account,
    kind: text('kind', { enum: ['order', 'erp-order', 'customer', 'erp-customer'] }).notNull(),
    /** The number of an order of the marketplace. Otherwise the id. */
    id: text('id').notNull(),
    forgottenAtMs: atMs('forgotten_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] })],
);
