import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playErpStory, STORY_LIMIT_MS } from '../../support/erp-story.ts';
import { FILE_ERP, startFileErp } from './file-erp.ts';

const PRODUCTS = 12;

type Office = ReturnType<typeof startFileErp>;
const STATUS = { offen: 'reserved', entwurf: 'draft', geliefert: 'shipped', storniert: 'cancelled' } as const;

function shownBy({ orders, available, skus }: Office) {
  return {
    products: skus.map((sku) => ({ sku, active: true, deleted: false, price: { amount: '1.5' } })),
    orders: [...orders].map(([reference, { status, lines }]) => ({
      id: `order-${reference}`,
      reference,
      origin: 'marketplace',
      status: STATUS[status],
      lines: lines.map(({ sku, quantity, givenUp }) => ({ sku, quantity, given_up: givenUp.toFixed() })),
    })),
    stockOf: (sku: string) => ({ available: available(sku).toFixed() }),
  };
}

test(
  'forty orders by files with edits, cancellations, partial and short shipments, and eight kills of the daemon: nothing is lost or created twice',
  async () => {
    let exchange = '';
    await playErpStory((dir) => {
      exchange = join(dir, 'exchange');
      const office = startFileErp(exchange, PRODUCTS);
      onTestFinished(office.close);
      const { ship, shipPart, cancel } = office;
      const shipShort = (reference: string) => {
        const [line] = office.orders.get(reference)?.lines ?? [];
        if (line !== undefined) office.shipShort(reference, line.sku, String(Number(line.quantity) - 1));
      };
      return {
        account: {
          erp: { type: 'files', dir: exchange, stable_for: '50ms', poll: '200ms', ...FILE_ERP },
          orders: { on_unmapped_customer: 'pass' },
        },
        products: PRODUCTS,
        references: () => [...office.orders.keys()],
        people: { ship, shipPart, shipShort, cancel },
        shown: () => shownBy(office),
      };
    });
    expect(readdirSync(join(exchange, 'orders')).filter((name) => name.endsWith('.json'))).toEqual([]);
  },
  STORY_LIMIT_MS,
);
