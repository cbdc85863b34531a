import { expect, test } from 'vitest';
import type { ErpOrder } from '../../../../src/erp/connector.ts';
import type { AccountContext } from '../../../../src/flows/engine/context.ts';
import { createErpOrder } from '../../../../src/flows/order/in/create.ts';
import { candidatesOf } from '../../../../src/store/intents.ts';
import { erpOrder, order, orderBatch, useShelf } from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';

const shelf = useShelf();

const cancelled = erpOrder({ id: 'E-1', status: 'cancelled' });
const alive = erpOrder({ id: 'E-2' });
const unfinished = erpOrder({ id: 'E-3', finished: false });
const byHand = erpOrder({ id: 'E-4', origin: 'erp' });

test.each<[string, readonly ErpOrder[], string]>([
  ['none', [], 'made E-9'],
  ['one that is cancelled', [cancelled], 'adopted E-1'],
  ['a cancelled one and one that is alive', [cancelled, alive], 'adopted E-2'],
  ['one that an earlier attempt made only in part', [unfinished], 'made E-9'],
  ['one that the ERP made for itself', [byHand], 'made E-9'],
  ['two that are alive', [alive, { ...alive, id: 'E-5' }], 'in doubt: E-2, E-5'],
])('where the ERP has %s under the reference, the right order is found', async (_, there, expected) => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ number: 'o-1', status: 'Accepted' })]));
  const made = erpOrder({ id: 'E-9' });
  const erp = { findOrders: async () => there, createOrder: async () => made } as unknown as AccountContext['erp'];
  const { reference, customer, currency, lines, discount, shipping, tax, total, note } = made;
  const draft = {
    reference,
    status: 'reserved' as const,
    customer,
    currency,
    lines,
    discount,
    shipping,
    tax,
    total,
    note,
  };
  const context = accountContext(store, accountConfig(), { erp });
  const look = { key: 'o-1', lane: 'poll', signal: AbortSignal.timeout(60_000) } as const;
  const agreed = { lines: [], status: { marketplace: 'Accepted', erp: 'reserved' } };
  const applied = await createErpOrder(context, look, { draft, agreed } as never);
  const linked = (await store.mappings.byMarketplaceId('main', 'order', 'o-1'))?.erpId;
  const how = { written: 'made', noted: 'adopted' }[applied.outcome as string] ?? 'in doubt:';
  const [intent] = await store.intents.of({ account: 'main', kind: 'order-in', key: 'o-1' });
  const candidates = intent === undefined ? '' : candidatesOf(intent).join(', ');
  expect(`${how} ${linked ?? candidates}`).toBe(expected);
});
