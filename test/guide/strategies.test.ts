import { describe, expect, test } from 'vitest';
import { tableWith } from '../support/guide.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const SKU = 'SB-0001';

async function open(strategy: 'a' | 'b' | 'c', inventory = 'buffer: 0') {
  stage = await openStage({ strategy, inventory });
  stage.erp.control.seed(1);
  stage.erp.control.setStock(SKU, '100');
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const product = stage.marketplace.productBySku(SKU).id;
  return () => stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '7' }] }).number;
}

/** The columns of the guide's example: step, in the ERP with a, b and c, quantity, available_inventory, buyers can take. */
const STEPS = tableWith('strategies', 'Buyers can take');
const ERP_COLUMN = { a: 1, b: 2, c: 3 } as const;
const WRITTEN_COLUMN = { a: 4, b: 5, c: 4 } as const;

describe("the guide's example, step by step:", () => {
  for (const strategy of ['a', 'b', 'c'] as const) {
    test(`strategy ${strategy}`, async () => {
      const place = await open(strategy);
      const { marketplace, erp } = stage;
      let number = '';
      const deeds: Record<string, () => unknown> = {
        listed: () => undefined,
        '7 Submitted': () => {
          number = place();
        },
        '20 received': () => erp.control.setStock(SKU, '120'),
        Accepted: () => marketplace.transition(number, 'accept'),
        Fulfilled: () => marketplace.transition(number, 'fulfill'),
        Shipped: () => erp.control.shipOrder(erp.control.findOrders(number)[0]?.id ?? ''),
      };
      const shown: unknown[] = [];
      for (const step of Object.keys(deeds)) {
        deeds[step]?.();
        await stage.sync();
        const { on_hand: onHand, reserved } = erp.control.stockOf(SKU);
        const erpOrder = number === '' ? undefined : erp.control.findOrders(number)[0];
        const listing = marketplace.productBySku(SKU);
        const written = strategy === 'b' ? listing.available : listing.quantity;
        shown.push([step, `${onHand} / ${reserved}, ${erpOrder?.status ?? 'no order'}`, written, listing.available]);
      }
      expect(shown).toEqual(
        STEPS.map((cells) => [cells[0], cells[ERP_COLUMN[strategy]], cells[WRITTEN_COLUMN[strategy]], cells[6]]),
      );
    });
  }
});

/** The events that cross a write, and the guide's figure for the most that buyers can then take for a moment. */
const [SUBMITTED, FULFILLED] = tableWith('strategies', 'Crossing event').map((cells) =>
  cells.map((cell) => Number(/\d+/.exec(cell))),
);
const RACES = [
  { event: 'submitted', write: 'available_inventory', most: SUBMITTED?.[1] },
  { event: 'submitted', write: 'quantity', most: SUBMITTED?.[2] },
  { event: 'fulfilled', write: 'available_inventory', most: FULFILLED?.[1] },
  { event: 'fulfilled', write: 'quantity', most: FULFILLED?.[2] },
];
/** How long a write is under way: long enough for an event to cross it on a slow machine. */
const UNDER_WAY_MS = 600;

test.each(RACES)('$event while $write is written is noticed and corrected', async ({ event, write, most }) => {
  const place = await open('b', `write: ${write}`);
  const { marketplace, erp } = stage;
  const early = event === 'fulfilled' ? place() : null;
  if (early !== null) marketplace.transition(early, 'accept');
  await stage.sync();
  await stage.sync();
  marketplace.faults.set({ kind: 'delay-before', ms: UNDER_WAY_MS, operation: 'products.patch', times: 1 });
  erp.control.setStock(SKU, '120');
  const syncing = stage.sync();
  await until('the write is under way', () => marketplace.faults.list().some(({ struck }) => struck > 0));
  const available = () => Number(marketplace.productBySku(SKU).available);
  let seen = 0;
  if (early === null) place();
  else marketplace.transition(early, 'fulfill');
  marketplace.onEvent(() => {
    seen = Math.max(seen, available());
  });
  await syncing;
  expect(seen).toBe(most);
  expect(available()).toBe(113);
});
