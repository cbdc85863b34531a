import type { Chance } from '../../src/sandbox/chance.ts';
import { any } from './pick.ts';
import type { Sides } from './sides.ts';

/** Changes that people make by hand in orders on both sides, and in agreed prices. */
export const EDITS: Readonly<Record<string, (sides: Sides, luck: Chance) => unknown>> = {
  'the ERP edits a quantity': (sides, luck) => {
    const { id, lines } = open(sides, luck);
    const { sku } = any(luck, lines);
    const quantity = String(luck.whole(1, 12));
    sides.erp.control.changeOrder(id, {
      lines: lines.map((line) => (line.sku === sku ? { ...line, quantity } : line)),
    });
  },
  'the ERP edits a price': (sides, luck) => {
    const { id, lines } = open(sides, luck);
    const unit_price = `${luck.whole(1, 30)}.25`;
    sides.erp.control.changeOrder(id, { lines: lines.map((line) => ({ ...line, unit_price })) });
  },
  'the ERP takes a line out': (sides, luck) => {
    const { id, lines } = open(sides, luck);
    if (lines.length > 1) sides.erp.control.changeOrder(id, { lines: lines.slice(1) });
  },
  'the ERP ships a part, or gives it up': (sides, luck) => {
    const { id, lines } = open(sides, luck);
    const { sku, quantity } = any(luck, lines);
    const part = String(luck.whole(1, Math.max(1, Math.floor(Number(quantity)))));
    sides.erp.control.shipLines(id, { [sku]: luck.pick([{ shipped: part }, { given_up: part }]) });
  },
  'the ERP ships short': (sides, luck) => {
    const { id, lines } = open(sides, luck);
    const { sku } = any(luck, lines);
    sides.erp.control.shipLines(id, { [sku]: { given_up: '1' } });
    sides.erp.control.shipOrder(id);
  },
  'the ERP gives a discount': (sides, luck) =>
    sides.erp.control.changeOrder(open(sides, luck).id, { discount: `${luck.whole(0, 3)}.75` }),
  'a product goes on sale, or comes back from it': ({ marketplace }, luck) =>
    marketplace.setProduct(any(luck, marketplace.activeProductIds()), {
      sale_price: { amount: `${luck.whole(0, 4)}.50`, currency: 'USD' },
    }),
};

/** An order that the ERP may still change. */
function open({ erp }: Sides, luck: Chance) {
  const all = erp.control.state().orders;
  return any(
    luck,
    all.filter(({ status }) => ['draft', 'reserved'].includes(status)),
  );
}
