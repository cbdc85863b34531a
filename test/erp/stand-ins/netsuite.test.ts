import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { connectionBy } from '../../live/connection.ts';
import { checkedErp, draftOf, EVERYTHING } from '../../support/erp-check.ts';
import { closeRest, fulfill, type Order, orderOf } from './netsuite/account.ts';
import { sectionOf, startCompany, tokenOf } from './netsuite/company.ts';

async function connected(old = 0) {
  const company = await startCompany([1.5, 2.5, 3.5, 4.5], old);
  onTestFinished(async () => {
    await company.stop();
    expect(company.strange).toEqual([]);
  });
  return { company, ...connectionBy(sectionOf(company), await tokenOf(company)) };
}

test('the NetSuite preset passes `erp check`', async () => {
  const { company, can, open } = await connected(3);
  const { findings, named } = await checkedErp(open, can, {
    uses: EVERYTHING,
    people: {
      ship: (id) => company.does((account, at) => fulfill(account, orderOf(account, id), () => 1_000, at)),
      shipShort: (id, sku, quantity) =>
        company.does((account, at) => {
          const order: Order = orderOf(account, id);
          const item = account.state.items.find(({ itemId }) => itemId === sku)?.id;
          fulfill(account, order, (line) => (line.item === item ? Number(quantity) : 0), at);
          for (const line of order.lines) if (line.item === item) line.closed = true;
        }),
    },
    facts: { productCount: 4 },
    skus: ['PART-0001', 'PART-0002'],
    timeout: '200ms',
  });
  expect(company.strange).toEqual([]);
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  // Items and stock are read whole, and NetSuite counts the totals. Payments, customers and products are made by people there.
  const beyond =
    /^products-since$|^stock-since$|^customer|^payment|^product-create$|^amounts$|^transports$|^cancel-picked$|^approved$|^lots$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});

const ordered = () => draftOf({ skus: ['PART-0001', 'PART-0002'], currency: 'USD' }, 'reserved', '2');

test('NetSuite refuses a second order with the external id of the first, and a currency that it does not have', async () => {
  const { open } = await connected();
  await using erp = await disposable(open());
  const first = ordered();
  await erp.createOrder(first);
  await expect(erp.createOrder(first)).rejects.toMatchObject({ kind: 'refused', outcome: 'not-applied' });
  const strange = { ...ordered(), reference: randomUUID(), currency: 'XXX' };
  await expect(erp.createOrder(strange)).rejects.toMatchObject({ kind: 'refused', outcome: 'not-applied' });
});

test('NetSuite takes a note of any length, truncated to the size of its memo', async () => {
  const { open } = await connected();
  await using erp = await disposable(open());
  expect((await erp.createOrder({ ...ordered(), note: 'x'.repeat(5_000) })).status).toBe('reserved');
});

test('NetSuite lists a fully closed order as cancelled, and removes no shipped lines', async () => {
  const { company, open } = await connected();
  await using erp = await disposable(open());
  const { id, lines } = await erp.createOrder(ordered());
  await company.does((account, at) => fulfill(account, orderOf(account, id), () => 1, at));
  await expect(erp.updateOrder(id, { lines: lines.slice(1) })).rejects.toMatchObject({ outcome: 'not-applied' });
  const other = await erp.createOrder(ordered());
  await company.does((account, at) => closeRest(orderOf(account, other.id), at));
  expect((await erp.getOrder(other.id))?.status).toBe('cancelled');
});

async function disposable<T extends { close(): Promise<void> }>(opening: T | Promise<T>): Promise<T & AsyncDisposable> {
  const erp = await opening;
  return Object.assign(erp, { [Symbol.asyncDispose]: () => erp.close() });
}
