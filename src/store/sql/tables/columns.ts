import type { Cause } from '../../../domain/causes/cause.ts';
import { customType, integer, text } from '../orm.ts';

/*
 * Decimals are text, exactly as the other side wrote them. Times of the other sides are text as sent. Our own times
 * (`...AtMs`) are epoch milliseconds and never enter a cursor. Every table has the account. A column that is a field of
 * the declared interface is explained there.
 */
export const account = text('account').notNull();
export const workKey = { account, flow: text('flow').notNull(), key: text('key').notNull() };
export const change = {
  action: text('action').notNull(),
  target: text('target').notNull(),
  before: text('before'),
  after: text('after'),
};
export const atMs = (name: string) => integer(name).notNull();
export const flag = (name: string) => integer(name, { mode: 'boolean' }).notNull().default(false);
/** A cause as JSON: code and parameters, never its sentence; empty: none. */
export const causeOrNone = customType<{ data: Cause | null; driverData: string }>({
  dataType: () => 'text',
  toDriver: (cause) => (cause === null ? '' : JSON.stringify(cause)),
  fromDriver: (json) => (json === '' ? null : (JSON.parse(json) as Cause)),
});
