import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActions } from '../../../src/sandbox/marketplace/actions.ts';
import { openSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { addCustomer, addProduct } from './api.ts';

/** A step in the life of the only order. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.constantFrom(
      'Submitted',
      'Accepted',
      'Fulfilled',
      'Shipped',
      'Complete',
      'Rejected',
      'Canceled',
      'Combined',
    ),
  }),
  fc.record({ kind: fc.constant('quantity' as const), quantity: fc.integer({ min: 1, max: 150 }) }),
  fc.record({ kind: fc.constant('line' as const), quantity: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('remove' as const) }),
  fc.record({ kind: fc.constant('set' as const), quantity: fc.integer({ min: 0, max: 200 }) }),
);

test('after any change of an order, a product with facilities has the figures of a product without them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 150 }), fc.array(step, { maxLength: 12 }), (ordered, steps) => {
      const { open, sql } = openSandboxMarketplace();
      const actions = createActions(open);
      const plain = addProduct(actions, 100);
      const placed = addProduct(actions, 0, { sku: 'PLACED' });
      actions.setInventory(placed, [
        { facility: 2, batch: 5, onHand: 45 },
        { facility: 2, batch: 6, onHand: 30 },
        { facility: 3, batch: 5, onHand: 25 },
      ]);
      const both = (quantity: number) => [plain, placed].map((product) => ({ product, quantity }));
      const { number } = actions.placeOrder({ customer: addCustomer(actions), items: both(ordered), oversell: true });
      for (const each of steps) {
        const pair = actions.order(number).lines.slice(-2);
        if (each.kind === 'status') actions.forceStatus(number, each.status);
        if (each.kind === 'line') for (const item of both(each.quantity)) actions.addLine(number, item);
        if (each.kind === 'quantity') for (const { id } of pair) actions.editLine(id, { quantity: each.quantity });
        if (each.kind === 'remove') for (const { id } of pair) actions.removeLine(id);
        if (each.kind === 'set') for (const id of [plain, placed]) actions.setProduct(id, { quantity: each.quantity });
        const figures = ({ quantity, reserved, available }: ReturnType<typeof actions.product>) => [
          quantity,
          reserved,
          available,
        ];
        expect(figures(actions.product(placed))).toEqual(figures(actions.product(plain)));
        const sum = (figure: 'onHand' | 'reserved' | 'available') =>
          actions.inventory(placed).reduce((total, item) => total + Number(item[figure]), 0);
        expect([sum('onHand'), sum('reserved'), sum('available')].map(String)).toEqual(
          figures(actions.product(placed)),
        );
      }
      sql.close();
    }),
    { numRuns: 60 },
  );
});
