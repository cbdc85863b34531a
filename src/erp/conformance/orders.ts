import { deepStrictEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Decimal } from '../../domain/decimal.ts';
import type { ErpConnector } from '../connector.ts';
import {
  asOf,
  type Checks,
  cancel,
  draftOf,
  type ErpDescription,
  factsOf,
  failureOf,
  figures,
  known,
  moved,
} from './probe.ts';

export function orderChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'an order is kept digit by digit and found by its reference and its id': async () => {
      const draft = draftOf(has, 'draft', '1.2500');
      const made = await erp.createOrder(draft);
      deepStrictEqual(factsOf(made), factsOf({ ...draft, origin: 'marketplace' }));
      deepStrictEqual((await erp.findOrders(draft.reference)).map(factsOf), [factsOf(made)], 'found by reference');
      deepStrictEqual(factsOf(await known(erp, made.id)), factsOf(made), 'found by id');
      await cancel(erp, made);
    },
    'what is not there is found as nothing': async () => {
      deepStrictEqual(await erp.findOrders(`conformance-${randomUUID()}`), []);
      deepStrictEqual(await erp.getOrder(`conformance-${randomUUID()}`), null);
    },
    'posting twice makes two orders, and both are found': async () => {
      const draft = draftOf(has, 'draft', '1');
      const made = [await erp.createOrder(draft), await erp.createOrder(draft)];
      const found = await erp.findOrders(draft.reference);
      deepStrictEqual(found.map((order) => order.id).sort(), made.map((order) => order.id).sort());
      for (const order of made) await cancel(erp, order);
    },
  };
}

export function changeChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'an update replaces the lines as a whole and moves the reservation with them': async () => {
      const start = await figures(erp, has);
      const made = await erp.createOrder(draftOf(has, 'reserved', '2'));
      const lines = [{ sku: has.skus[1], quantity: new Decimal('3'), unitPrice: new Decimal('4.50') }];
      const updated = await erp.updateOrder(made.id, { lines });
      deepStrictEqual(factsOf(updated), factsOf({ ...made, lines }));
      deepStrictEqual(factsOf(await known(erp, made.id)), factsOf(updated));
      const [first, second] = await figures(erp, has);
      deepStrictEqual([first, second], [start[0], moved(start, '0', '3')[1]]);
      await cancel(erp, made);
      deepStrictEqual(await figures(erp, has), start);
    },
    'money fields change when they are sent': async () => {
      const made = await erp.createOrder(draftOf(has, 'draft', '1'));
      const change = { discount: new Decimal('0.10'), tax: new Decimal('0.27'), total: new Decimal('9.99') };
      const updated = await erp.updateOrder(made.id, change);
      deepStrictEqual(factsOf(updated), factsOf({ ...made, ...change }));
      await cancel(erp, made);
    },
    'cancelling twice is as good as once': async () => {
      const made = await erp.createOrder(draftOf(has, 'reserved', '1'));
      await cancel(erp, made);
      deepStrictEqual((await erp.updateOrder(made.id, { status: 'cancelled' })).status, 'cancelled');
    },
    'an update of an order that is not there is a definite no': async () => {
      const failure = await failureOf(erp.updateOrder(`conformance-${randomUUID()}`, { status: 'cancelled' }));
      deepStrictEqual([failure.kind, failure.outcome], ['not-found', 'not-applied']);
    },
  };
}

/** For ERPs that give verdicts on purchase orders. */
export function approvalChecks(
  erp: ErpConnector,
  has: ErpDescription,
  approve: NonNullable<ErpDescription['approve']>,
): Checks {
  return {
    'a verdict shows on its order, and the order is listed as changed': async () => {
      const made = await erp.createOrder(draftOf(has, 'draft', '1'));
      const before = asOf(await Array.fromAsync(erp.listOrders(null)));
      const verdict = { status: 'rejected', message: 'no credit ✓', decidedAt: '2030-01-31T08:30:00.000Z' };
      await approve(made.id, verdict);
      deepStrictEqual((await known(erp, made.id)).approval, verdict);
      const changed = (await Array.fromAsync(erp.listOrders(before))).flatMap((page) => page.items);
      deepStrictEqual(changed.find((order) => order.id === made.id)?.approval, verdict);
      await cancel(erp, made);
    },
    'an ERP that gives verdicts says so': async () => {
      ok((await erp.ping()).can?.includes('approvals'), 'ping does not say that it can do "approvals"');
    },
  };
}

/** For ERPs whose orders keep what became of their transports, shipped orders too. */
export function transportChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'transports are kept as they are told, and replaced as a whole': async () => {
      const made = await erp.createOrder(draftOf(has, 'reserved', '1'));
      await has.ship?.(made.id);
      const shipped = { id: 'T-1', status: 'shipped', shippedAt: '2030-01-31T08:30:00.000Z' } as const;
      const arrived = { ...shipped, status: 'delivered', deliveredAt: '2030-02-01T10:00:00.000Z' } as const;
      for (const transports of [[shipped], [arrived, { id: 'T-2', status: 'shipped' } as const]]) {
        deepStrictEqual((await erp.updateOrder(made.id, { transports })).transports, transports);
        deepStrictEqual((await known(erp, made.id)).transports, transports);
      }
      if (has.ship === undefined) await cancel(erp, made);
    },
    'an ERP that keeps transports says so': async () => {
      ok((await erp.ping()).can?.includes('transports'), 'ping does not say that it can do "transports"');
    },
  };
}

export function shippingChecks(
  erp: ErpConnector,
  has: ErpDescription,
  ship: (orderId: string) => Promise<void>,
): Checks {
  return {
    'a shipped order leaves what is on hand, is listed as changed, and can no longer be cancelled': async () => {
      const start = await figures(erp, has);
      const before = asOf(await Array.fromAsync(erp.listOrders(null)));
      const made = await erp.createOrder(draftOf(has, 'reserved', '1'));
      await ship(made.id);
      deepStrictEqual(await figures(erp, has), moved(start, '-1', '0'));
      const changed = (await Array.fromAsync(erp.listOrders(before))).flatMap((page) => page.items);
      deepStrictEqual(changed.find((order) => order.id === made.id)?.status, 'shipped');
      const failure = await failureOf(erp.updateOrder(made.id, { status: 'cancelled' }));
      deepStrictEqual([failure.kind, failure.outcome], ['refused', 'not-applied']);
    },
  };
}
