import { index, integer, primaryKey, sqliteTable, text } from '../orm.ts';
import { account, atMs, flag } from './columns.ts';

const concern = {
  account,
  kind: text('kind').notNull(),
  about: text('about').notNull(),
  code: text('code').notNull(),
  count: integer('count').notNull(),
};

export const notices = sqliteTable(
  'notices',
  { ...concern, sinceMs: atMs('since_ms'), told: flag('told'), goneSinceMs: integer('gone_since_ms') },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.about, t.code] })],
);

export const messages = sqliteTable(
  'messages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    channel: text('channel').notNull(),
    event: text('event', { enum: ['opened', 'closed', 'digest'] }).notNull(),
    ...concern,
    atMs: atMs('at_ms'),
    attempts: integer('attempts').notNull().default(0),
    notBeforeMs: atMs('not_before_ms'),
  },
  (t) => [index('messages_by_channel').on(t.channel, t.id)],
);
