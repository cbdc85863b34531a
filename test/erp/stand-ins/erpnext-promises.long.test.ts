import { expect, onTestFinished, test } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { CallFailure } from '../../../src/domain/failure.ts';
import type { ErpOrder } from '../../../src/erp/connector.ts';
import { connectionBy } from '../../live/connection.ts';
import { draftOf } from '../../support/erp-check.ts';
import { exact } from '../../support/units.ts';
import { checkedCompany } from './frappe/checked.ts';
import { type Seed, sectionOf, startCompany } from './frappe/company.ts';
import { USER } from './frappe/server.ts';

test('the ERPNext preset passes `erp check`', async () => {
  const frappe = await startCompany({
    prices: [1.5, 2.5, 3.5, 4.5],
    kilograms: ['PART-0001', 'PART-0002'],
    more: [
      '1000',
      '999',
      'Ärmel',
      'part-0001-b',
      ...Array.from({ length: 200 }, (_, n) => `ARTICLE-WITH-A-LONG-CODE-${n}`),
    ],
    oldOrders: 3,
  });
  onTestFinished(frappe.stop);
  const { findings, named } = await checkedCompany(frappe, { drafts: false, products: 208 });
  expect(frappe.strange).toEqual([]);
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  // Items and stock are read whole, and ERPNext counts the totals. Payments, customers and products are made by people there.
  const beyond =
    /^products-since$|^stock-since$|^customer|^payment|^product-create$|^amounts$|^transports$|^cancel-picked$|^approved$|^lots$|^draft$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});

/** A connection to a company with two products, of which the first has a pricing rule. */
async function connected(seed: Partial<Seed> = {}) {
  const frappe = await startCompany({ prices: [1.5, 2.5], ...seed });
  onTestFinished(async () => {
    await frappe.stop();
    expect(frappe.strange).toEqual([]);
  });
  const erp = await connectionBy(sectionOf(frappe), `${USER.key}:${USER.secret}`).open();
  onTestFinished(() => erp.close());
  return { frappe, erp };
}

const ordered = (unitPrice: string) => ({
  ...draftOf({ skus: ['PART-0001', 'PART-0002'], currency: 'USD' }, 'reserved', '2'),
  lines: [{ sku: 'PART-0001', quantity: exact(2), unitPrice: exact(unitPrice) }],
});

test('ERPNext keeps a free line, which it would otherwise sell at the list price, also through an edit', async () => {
  const { erp } = await connected();
  const order = await erp.createOrder(ordered('0'));
  const priceOf = ({ lines }: ErpOrder) => lines.map(({ unitPrice }) => unitPrice.toFixed());
  expect(priceOf(order)).toEqual(['0']);
  const dear = await erp.createOrder(ordered('3'));
  const free = [{ sku: 'PART-0001', quantity: exact(2), unitPrice: ZERO }];
  expect(priceOf(await erp.updateOrder(dear.id, { lines: free }))).toEqual(['0']);
});

test('ERPNext keeps an agreed price under a pricing rule where the user is a Sales Manager, as the description asks', async () => {
  const { erp } = await connected();
  expect((await erp.createOrder(ordered('9'))).total.toFixed()).toBe('21.9');
  const clerk = await connected({ roles: ['Sales User'] });
  expect((await clerk.erp.createOrder(ordered('9'))).total.toFixed()).toBe('6.6');
});

test('ERPNext refuses a second order with the purchase number of the first, in any letter case', async () => {
  const { erp } = await connected();
  const first = ordered('1');
  await erp.createOrder(first);
  const again = erp.createOrder({ ...first, reference: first.reference.toUpperCase() });
  await expect(again).rejects.toMatchObject({ kind: 'refused', outcome: 'not-applied' });
});

test('ERPNext is not called again during the wait after a 429', async () => {
  const { erp, frappe } = await connected();
  frappe.limit(0, 60);
  const failure: unknown = await erp.ping().catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
  expect((failure as CallFailure).retryAfterMs).toBeGreaterThan(0);
});

test('ERPNext answers a wrong key with 401, which is an error of credentials', async () => {
  const { frappe } = await connected();
  const erp = await connectionBy(sectionOf(frappe), 'another:key').open();
  await expect(erp.ping()).rejects.toMatchObject({ kind: 'credentials' });
  await erp.close();
});
