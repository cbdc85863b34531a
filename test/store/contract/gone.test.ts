import { expect, test } from 'vitest';
import { GONE_FROM, type GoneFrom } from '../../../src/store/gone.ts';
import type { MappingKind } from '../../../src/store/links.ts';
import { at, d, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();

interface Kept {
  readonly ids: readonly [string, string];
  readonly record: (id: string) => Promise<unknown>;
  readonly link?: MappingKind;
  /** The looks that are due when the first one is gone. */
  readonly due: readonly string[];
}

const store = () => shelf().store;
const orderless = { currency: 'USD', reference: 'o-1', orderNumber: 'o-1' };

const KEPT: Readonly<Record<GoneFrom, Kept>> = {
  products: {
    ids: ['7', '12'],
    record: (id) => store().products.record(productBatch([product({ id: Number(id), sku: `SB-${id}` })])),
    link: 'product',
    due: ['product E-1', 'stock E-1'],
  },
  customers: {
    ids: ['7', '12'],
    record: (id) =>
      store().customers.record({
        account: 'main',
        rows: [
          {
            customer: {
              id: Number(id),
              name: `Shop ${id}`,
              modified: at(1),
              archived: false,
              externalId: null,
              licenseNumber: null,
              email: null,
            },
            content: '{}',
          },
        ],
        invalidRows: [],
        window: null,
        lane: 'poll',
      }),
    link: 'customer',
    due: ['customer-in 7', 'customer-out E-1'],
  },
  payments: {
    ids: ['12', '7'],
    record: (id) =>
      store().payments.record({
        account: 'main',
        rows: [{ ...orderless, id, total: d('5'), type: 'cash', paidAt: at(0), createdAt: at(1) }],
        invalidRows: [],
        lane: 'poll',
      }),
    due: ['payment-in 12'],
  },
  batches: {
    ids: ['7', '12'],
    record: (id) => store().batches.record('main', [{ id: Number(id), matchKey: null, content: '{}' }], 'poll'),
    link: 'batch',
    due: ['batch-out E-1'],
  },
  'transport-orders': {
    ids: ['T-1', 'T-2'],
    record: (id) =>
      store().transports.record(
        'main',
        [
          {
            id,
            orderKey: `o-${id}`,
            status: 'shipped',
            shippedAt: null,
            deliveredAt: null,
            expectedAt: null,
            requestedOn: null,
            tracking: null,
          },
        ],
        'poll',
      ),
    due: ['transport-in o-T-1'],
  },
  'erp-customers': {
    ids: ['C-1', 'C-2'],
    record: (id) =>
      store().erp.recordCustomers('main', [{ id, name: `Shop ${id}`, marketplaceId: null, changedAt: at(1) }], 'poll'),
    due: ['customer-out C-1'],
  },
  'erp-payments': {
    ids: ['PAY-1', 'PAY-2'],
    record: (id) =>
      store().erp.recordPayments(
        'main',
        [
          {
            ...orderless,
            id,
            amount: d('5'),
            method: null,
            receivedAt: null,
            marketplaceId: null,
            voided: false,
            changedAt: at(1),
          },
        ],
        'poll',
      ),
    // Another payment of the order may have taken its place.
    due: ['payment-out PAY-1', 'payment-out PAY-2'],
  },
  'erp-lots': {
    ids: ['L-1', 'L-2'],
    record: (id) =>
      store().erp.recordLots(
        'main',
        [{ id, productId: 'P-1', batch: `B-${id}`, attributesText: '{}', changedAt: at(1) }],
        'poll',
      ),
    due: ['batch-out L-1', 'stock P-1'],
  },
};

test.each(GONE_FROM)(
  'a row of %s that is gone is removed from the shadow, and marks what depends on it',
  async (list) => {
    const { gone, mappings } = store();
    const { ids, record, link, due } = KEPT[list];
    const [first, second] = ids;
    for (const id of ids) await record(id);
    if (link !== undefined)
      await mappings.link({ account: 'main', kind: link, marketplaceId: first, erpId: 'E-1', how: 'sku' });
    await shelf().takeWork();
    expect(await gone.expected('main', list, '', 10)).toEqual(ids);
    expect(await gone.expected('main', list, first, 10)).toEqual([second]);
    expect(await gone.get('main', list, first)).toBeNull();
    const how = { witness: 'own-get', lane: 'poll' } as const;
    expect(await gone.drop('main', list, [first, '99'], how)).toEqual([first]);
    expect(await gone.get('main', list, first)).toEqual({ sinceMs: expect.any(Number), witness: 'own-get' });
    expect(await gone.expected('main', list, '', 10)).toEqual([second]);
    expect(await shelf().takeWork()).toEqual(due);
    await record(first);
    expect(await gone.expected('main', list, '', 10)).toEqual(ids);
  },
);

test('an entity whose list is not read may be recorded as gone', async () => {
  const { gone } = store();
  await gone.note('main', 'erp-customers', 'C-9', 'told');
  expect(await gone.get('main', 'erp-customers', 'C-9')).toMatchObject({ witness: 'told' });
});

test('an archived listing or customer need not be in a full list', async () => {
  const { gone, products } = store();
  await products.record(productBatch([product({ id: 7, archived: true })]));
  expect(await gone.expected('main', 'products', '', 10)).toEqual([]);
});
