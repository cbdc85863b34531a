import { expect, test } from 'vitest';
import type { MarketplaceOrder } from '../../../src/domain/order.ts';
import { PageError } from '../../../src/store/store-error.ts';
import { at, line, order, orderBatch, useShelf } from '../shelf.ts';

/* I19. An error of our own code is a row's fault when other rows of the page are stored, and else it is no row's fault. */

const shelf = useShelf();
const TO = '2030-01-01T13:00:00Z';
const window = { account: 'main', collection: 'orders', from: null, to: TO, rows: 3, finding: null, cursor: TO };

const sound = (number: string) => order({ number, modified: at(1) });
/** Our own code fails on it: no reader gives an order without a customer. */
const failing = (number: string): MarketplaceOrder => ({ ...sound(number), customer: null as never });

/** It breaks a key of the database. */
const doubled = (number: string) => order({ number, modified: at(1), lines: [line(), line()] });

const record = (...rows: readonly MarketplaceOrder[]) => shelf().store.orders.record(orderBatch(rows, { window }));
const found = async () => ({
  cursor: (await shelf().store.cursors.get('main', 'orders'))?.value ?? null,
  invalid: (await shelf().store.invalidRows.list('main')).map(({ what }) => what).toSorted(),
});

test('a page on whose every row our own code fails is not stored, and its list stops there', async () => {
  await expect(record(failing('o-1'), failing('o-2'), failing('o-3'))).rejects.toThrow(PageError);
  expect(await found()).toEqual({ cursor: null, invalid: [] });
});

test('one valid row of a page shows that the other rows are at fault', async () => {
  expect(await record(failing('o-1'), sound('o-2'), failing('o-3'))).toEqual(['o-2']);
  expect(await found()).toEqual({ cursor: TO, invalid: ['o-1', 'o-3'] });
});

test('a row that is alone in its page is at fault itself', async () => {
  expect(await record(failing('o-1'))).toEqual([]);
  expect(await found()).toEqual({ cursor: TO, invalid: ['o-1'] });
});

test('rows that all break a rule of the database are at fault', async () => {
  expect(await record(doubled('o-1'), doubled('o-2'))).toEqual([]);
  expect(await found()).toEqual({ cursor: TO, invalid: ['o-1', 'o-2'] });
});
