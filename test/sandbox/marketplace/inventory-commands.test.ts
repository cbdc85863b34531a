import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActions, type ProductState } from '../../../src/sandbox/marketplace/actions.ts';
import {
  type CommandType,
  commandStatus,
  queueCommand,
  settleCommands,
} from '../../../src/sandbox/marketplace/inventory/commands.ts';
import { openSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { addCustomer, addProduct } from './api.ts';

const place = fc.record({ facility_id: fc.integer({ min: 1, max: 2 }), batch_id: fc.integer({ min: 1, max: 2 }) });
const quantity = fc.integer({ min: 0, max: 4000 }).map((hundredths) => (hundredths / 100).toFixed(2));
const itemCommand = fc.record({
  type: fc.constantFrom<CommandType>('putaway', 'destroy', 'hold', 'unhold', 'archive', 'unarchive', 'reconcile'),
  place,
  quantity,
});
const lineCommand = fc.record({
  type: fc.constantFrom<CommandType>('fulfill', 'unfulfill', 'unreserve'),
  place,
  quantity,
});

/** The effect of a successful command on the sums over all places: on hand, reserved, held, archived. */
const EFFECTS: Readonly<Partial<Record<CommandType, readonly number[]>>> = {
  putaway: [1, 0, 0, 0],
  destroy: [-1, 0, 0, 0],
  hold: [0, 0, 1, 0],
  unhold: [0, 0, -1, 0],
  archive: [-1, 0, 0, 1],
  unarchive: [1, 0, 0, -1],
  fulfill: [-1, -1, 0, 0],
  unfulfill: [1, 1, 0, 0],
  unreserve: [0, -1, 0, 0],
};

test('after any commands successes add up, failures change nothing, and no more is reserved than exists', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(itemCommand, lineCommand), { maxLength: 25 }), (commands) => {
      const { open, sql } = openSandboxMarketplace();
      const actions = createActions(open);
      const product = addProduct(actions, 40);
      const order = actions.placeOrder({ customer: addCustomer(actions), items: [{ product, quantity: 15 }] });
      const line = { order_id: order.id, order_product_id: order.lines[0]?.id };
      const items = () => actions.inventory(product);
      const sums = () =>
        (['onHand', 'reserved', 'held', 'archived'] as const).map((figure) =>
          items().reduce((sum, item) => sum + Math.round(Number(item[figure]) * 100), 0),
        );
      for (const { type, place: at, quantity: amount } of commands) {
        const before = { sums: sums(), items: items() };
        const body = { product_id: product, ...at, ...line, quantity: amount, to_quantity: amount };
        const { command_id: id } = open.change((market) => queueCommand(market, type, body));
        open.change(settleCommands);
        const { result_status: status } = commandStatus(open.market, id);
        const hundredths = Math.round(Number(amount) * 100);
        const there = before.items.find((item) => item.facility === at.facility_id && item.batch === at.batch_id);
        const counted = hundredths - Math.round(Number(there?.onHand ?? 0) * 100);
        const effect = EFFECTS[type]?.map((sign) => sign * hundredths) ?? [counted, 0, 0, 0];
        if (status === 'Success') expect(sums()).toEqual(before.sums.map((sum, index) => sum + (effect[index] ?? 0)));
        else expect([status, items()]).toEqual(['Failed', before.items]);
        for (const item of items()) {
          expect(Math.min(Number(item.held), Number(item.archived), Number(item.reserved))).toBeGreaterThanOrEqual(0);
        }
        expect(figuresOf(actions.product(product))).toEqual(expectedFigures(sums()));
      }
      sql.close();
    }),
    { numRuns: 60 },
  );
});

function figuresOf({ quantity: onHand, reserved, available }: ProductState): number[] {
  return [onHand, reserved, available].map((figure) => Math.round(Number(figure) * 100));
}

function expectedFigures([onHand = 0, reserved = 0, held = 0]: readonly number[]): number[] {
  return [onHand - held, reserved, onHand - held - reserved];
}
