import { expect, test } from 'vitest';
import { at, erpOrder, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

/** A page on which an entity was last changed an hour ago may arrive after the answer to our own write of this minute. */

const shelf = useShelf();
const store = () => shelf().store;

const CHANGED = { hourAgo: at(0), now: at(3_600) };

interface Late {
  /** Stores the entity with a mark, as a page or a write's answer shows it. */
  readonly record: (mark: string, changed: string, askedAtMs?: number) => Promise<unknown>;
  readonly shown: () => Promise<string | undefined>;
}

const customer = (name: string, modified: string) => ({
  customer: { id: 7, name, modified, archived: false, externalId: null, licenseNumber: null, email: null },
  content: JSON.stringify({ name }),
});

const LATE: Readonly<Record<string, Late>> = {
  listings: {
    record: (sku, modified, askedAtMs) =>
      store().products.record({ ...productBatch([product({ id: 7, sku, modified })]), askedAtMs }),
    shown: async () => (await store().products.get('main', 7))?.sku ?? undefined,
  },
  orders: {
    record: (status, modified, askedAtMs) =>
      store().orders.record({ ...orderBatch([order({ number: 'o-1', status, modified })]), askedAtMs }),
    shown: async () => (await store().orders.get('main', 'o-1'))?.order.status,
  },
  customers: {
    record: (name, modified, askedAtMs) =>
      store().customers.record({
        account: 'main',
        rows: [customer(name, modified)],
        invalidRows: [],
        window: null,
        lane: 'poll',
        askedAtMs,
      }),
    shown: async () => (await store().customers.get('main', 7))?.name,
  },
  'ERP orders': {
    record: (note, changedAt, askedAtMs) =>
      store().erp.recordOrders('main', [erpOrder({ id: 'E-1', note, changedAt })], 'poll', undefined, askedAtMs),
    shown: async () => (await store().erp.order('main', 'E-1'))?.note ?? undefined,
  },
  'ERP customers': {
    record: (name, changedAt, askedAtMs) =>
      store().erp.recordCustomers('main', [{ id: 'C-1', name, marketplaceId: null, changedAt }], 'poll', askedAtMs),
    shown: async () => (await store().erp.customer('main', 'C-1'))?.name,
  },
};

test.each(Object.keys(LATE))("a page of %s that was requested before a write's answer changes nothing", async (of) => {
  const { record, shown } = LATE[of] as Late;
  const askedAtMs = shelf().nowMs;
  await record('before', CHANGED.hourAgo, askedAtMs);
  shelf().nowMs += 1_000;
  await record('written', CHANGED.now);
  await record('before', CHANGED.hourAgo, askedAtMs);
  expect(await shown()).toBe('written');
});

test.each(Object.keys(LATE))(
  'a page of %s that was requested later is accepted, although its clock was set back',
  async (of) => {
    const { record, shown } = LATE[of] as Late;
    await record('written', CHANGED.now);
    shelf().nowMs += 1_000;
    await record('changed', CHANGED.hourAgo, shelf().nowMs);
    expect(await shown()).toBe('changed');
  },
);

test('a page of customers requested before an address write changes nothing, although addresses have no date', async () => {
  const { record, shown } = LATE['customers'] as Late;
  const askedAtMs = shelf().nowMs;
  await record('before', CHANGED.hourAgo, askedAtMs);
  shelf().nowMs += 1_000;
  await record('written', CHANGED.hourAgo);
  await record('before', CHANGED.hourAgo, askedAtMs);
  expect(await shown()).toBe('written');
});
