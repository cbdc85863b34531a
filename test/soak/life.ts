import type { Chance } from '../support/chance.ts';
import type { Stage } from '../support/stage.ts';

/** The number of open orders is kept near this: above it, more orders are shipped than come in. */
const OPEN_ORDERS = 60;
const BOOKS_EVERY_MS = 5_000;

/**
 * The deeds of buyers, staff and people in the ERP, one at a time: they order, edit, cancel, ship, count stock, rename and
 * reprice. No deed leaves both sides without a common state.
 */
export function daysWork({ marketplace, erp }: Pick<Stage, 'marketplace' | 'erp'>, luck: Chance): () => void {
  const buyers = ['NV', 'CA', 'OR'].map((state) => marketplace.addCustomer({ name: `Shop in ${state}`, state }));
  /** Numbers of the open orders that were made here. */
  let open: string[] = [];

  const sku = () => luck.pick(skus) ?? '';
  const skus = erp.control.state().products.map((product) => product.sku);
  const books = { readAtMs: 0, orders: new Map<string, ReturnType<typeof erp.control.state>['orders'][number]>() };
  const erpOrderOf = (number: string) => {
    // Each time, all books are copied. Now and then is enough: a deed on an order that was shipped meanwhile is refused.
    if (Date.now() - books.readAtMs > BOOKS_EVERY_MS) {
      books.orders = new Map(erp.control.state().orders.map((one) => [one.reference, one]));
      books.readAtMs = Date.now();
    }
    return books.orders.get(number);
  };

  function order(): void {
    const products = marketplace.activeProductIds();
    const items = Array.from({ length: luck.whole(1, 3) }, () => ({
      product: luck.pick(products) ?? 0,
      quantity: String(luck.whole(1, 4)),
    }));
    open.push(marketplace.placeOrder({ customer: luck.pick(buyers) ?? 0, items }).number);
  }

  function ship(): void {
    const number = open[0] ?? '';
    const erpOrder = erpOrderOf(number);
    if (erpOrder === undefined) return;
    open = open.filter((one) => one !== number);
    if (erpOrder.status === 'reserved') erp.control.shipOrder(erpOrder.id);
  }

  function cancel(): void {
    const number = luck.pick(open) ?? '';
    if (erpOrderOf(number)?.status === 'shipped') return;
    open = open.filter((one) => one !== number);
    marketplace.cancel(number);
  }

  function edit(): void {
    const number = luck.pick(open) ?? '';
    const found = marketplace.orders().find((one) => one.number === number);
    if (found?.status !== 'Submitted' || erpOrderOf(number)?.status === 'shipped') return;
    marketplace.editLine(found.lines[0]?.id ?? 0, { quantity: String(luck.whole(1, 5)) });
  }

  const deeds: (() => unknown)[] = [
    order,
    order,
    order,
    order,
    ship,
    ship,
    ship,
    edit,
    cancel,
    () => erp.control.setStock(sku(), String(luck.whole(300, 900))),
    () => erp.control.setStock(sku(), String(luck.whole(300, 900))),
    () => erp.control.setStock(sku(), String(luck.whole(300, 900))),
    () => erp.control.setProduct(sku(), { name: `Renamed ${luck.whole(1, 99)}` }),
  ];
  return () => {
    try {
      (open.length > OPEN_ORDERS ? ship : luck.pick(deeds))?.();
    } catch (error) {
      // People also try things that are refused.
      if ((error as Error).constructor.name !== 'Refusal') throw error;
    }
  };
}
