import type { Chance } from '../../src/sandbox/chance.ts';
import { EDITS } from './edits.ts';
import { any } from './pick.ts';
import type { Sides } from './sides.ts';

/** The deeds of people on both sides, by name. A deed that the side refuses does not count. */
export const DEEDS: Readonly<Record<string, (sides: Sides, luck: Chance, buyers: readonly number[]) => unknown>> = {
  'a buyer orders': ({ marketplace }, luck, buyers) =>
    marketplace.placeOrder({
      customer: any(luck, buyers),
      items: [{ product: any(luck, marketplace.activeProductIds()), quantity: String(luck.whole(1, 9)) }],
    }),
  'a buyer orders two things': ({ marketplace }, luck, buyers) =>
    marketplace.placeOrder({
      customer: any(luck, buyers),
      items: [
        { product: any(luck, marketplace.activeProductIds()), quantity: '2' },
        { product: any(luck, marketplace.activeProductIds()), quantity: '1.5' },
      ],
    }),
  'buyers order at the same moment': ({ marketplace }, luck, buyers) => {
    marketplace.faults.set({ kind: 'same-modified', times: 8 });
    for (let order = luck.whole(3, 5); order > 0; order -= 1)
      marketplace.placeOrder({
        customer: any(luck, buyers),
        items: [{ product: any(luck, marketplace.activeProductIds()), quantity: '1' }],
      });
  },
  'a buyer edits a line': (sides, luck) =>
    sides.marketplace.editLine(theirs(sides, luck).lines[0]?.id ?? 0, { quantity: String(luck.whole(1, 12)) }),
  'staff add a line': (sides, luck) =>
    sides.marketplace.addLine(theirs(sides, luck).number, {
      product: any(luck, sides.marketplace.activeProductIds()),
      quantity: '1',
    }),
  'a buyer removes a line': (sides, luck) => {
    const order = theirs(sides, luck);
    if (order.lines.length > 1) sides.marketplace.removeLine(order.lines[0]?.id ?? 0);
  },
  'staff give a discount': (sides, luck) =>
    sides.marketplace.editOrder(theirs(sides, luck).number, { discount_amount: `${luck.whole(0, 3)}.50` }),
  'a buyer cancels': ({ marketplace }, luck) => marketplace.cancel(any(luck, marketplace.orderContents()).number),
  'staff accept': ({ marketplace }, luck) =>
    marketplace.transition(any(luck, marketplace.orderContents()).number, 'accept'),
  'staff fulfil': ({ marketplace }, luck) =>
    marketplace.transition(any(luck, marketplace.orderContents()).number, 'fulfill'),
  'staff reject': ({ marketplace }, luck) =>
    marketplace.transition(any(luck, marketplace.orderContents()).number, 'reject'),
  'staff ship': ({ marketplace }, luck) =>
    marketplace.transition(any(luck, marketplace.orderContents()).number, 'ship'),
  'the ERP ships': ({ erp }, luck) => erp.control.shipOrder(any(luck, erp.control.state().orders).id),
  'the ERP cancels': ({ erp }, luck) => erp.control.cancelOrder(any(luck, erp.control.state().orders).id),
  'the ERP counts': ({ erp }, luck) =>
    erp.control.setStock(any(luck, erp.control.state().products).sku, String(luck.whole(0, 200))),
  'the ERP runs out': ({ erp }, luck) => erp.control.setStock(any(luck, erp.control.state().products).sku, '0'),
  'the ERP stops or starts selling': ({ erp }, luck) => {
    const { products } = erp.control.state();
    const gone = products.filter(({ active }) => !active);
    const isBack = gone.length > 0 && luck.whole(0, 1) === 0;
    erp.control.setProduct(any(luck, isBack ? gone : products).sku, { active: isBack || luck.whole(0, 2) > 0 });
  },
  'the ERP renames': ({ erp }, luck) =>
    erp.control.setProduct(any(luck, erp.control.state().products).sku, { name: `Renamed ${luck.whole(1, 99)}` }),
  'the ERP changes a price': ({ erp }, luck) => {
    const { sku, price } = any(luck, erp.control.state().products);
    erp.control.setProduct(sku, { price: { ...price, amount: `${luck.whole(5, 30)}.00` } });
  },
  'the ERP sells itself': ({ erp }, luck, buyers) =>
    erp.control.createOrder({
      customer: { marketplace_id: any(luck, buyers) },
      lines: [{ sku: any(luck, erp.control.state().products).sku, quantity: '1', unit_price: '2.00' }],
    }),
  ...EDITS,
};

/** An order that buyers may edit. Orders that were made in the ERP are edited in the ERP. */
function theirs({ marketplace, erp }: Sides, luck: Chance) {
  const own = new Set(
    erp.control
      .state()
      .orders.filter(({ origin }) => origin === 'erp')
      .map(({ id }) => id),
  );
  const open = marketplace
    .orderContents()
    .filter(({ lines, externalId }) => !own.has(externalId ?? '') && lines.every((line) => line.salePrice === null));
  return any(luck, open);
}
