import { Decimal } from '../domain/decimal.ts';
import type { SandboxErp } from '../sandbox/erp/server.ts';
import { dollars, type Tell } from './tell.ts';

type Control = SandboxErp['control'];

/** Acts of people in the ERP. Each is printed, and counted if the marketplace must learn of it. */
export function createErpStaff(control: Control, tell: Tell) {
  const deeds = { cancelled: 0, stock: 0, product: 0 };
  const product = (sku: string) => {
    const found = control.state().products.find((one) => one.sku === sku);
    if (found === undefined) throw new Error(`SKU ${sku} is not in the demo's ERP`);
    return found;
  };
  return {
    /** Acts that need a write to the marketplace. */
    deeds: deeds as Readonly<typeof deeds>,
    ship(id: string): void {
      control.shipOrder(id);
      tell('erp', `ships ${id}`);
    },
    cancel(id: string): void {
      control.cancelOrder(id);
      deeds.cancelled += 1;
      tell('erp', `cancels ${id}: it cannot be delivered`);
    },
    receive(sku: string, units: number): void {
      const { on_hand: before } = control.stockOf(sku);
      const after = new Decimal(before).plus(units).toFixed();
      control.setStock(sku, after);
      deeds.stock += 1;
      tell('erp', `receives ${units} × ${sku}: ${before} → ${after} on hand`);
    },
    reprice(sku: string, percent: number): void {
      const { price } = product(sku);
      const raised = new Decimal(price.amount).times(100 + percent).dividedBy(100);
      const amount = raised.toFixed(2);
      control.setProduct(sku, { price: { ...price, amount } });
      deeds.product += 1;
      tell('erp', `changes the price of ${sku}: ${dollars(price.amount)} → ${dollars(amount)}`);
    },
    discontinue(sku: string): void {
      control.setProduct(sku, { active: false });
      deeds.product += 1;
      tell('erp', `does not sell ${sku} any more`);
    },
    bringBack(sku: string): void {
      control.setProduct(sku, { active: true });
      deeds.product += 1;
      tell('erp', `sells ${sku} again`);
    },
    /** Enters an order taken by phone. Returns its id. */
    takeOrder(customer: { id: number; name: string }, sku: string, cases: number): string {
      const { price, unit_multiplier: unitMultiplier } = product(sku);
      const quantity = new Decimal(unitMultiplier).times(cases).toFixed();
      const order = control.createOrder({
        customer: { marketplace_id: customer.id, name: customer.name },
        lines: [{ sku, quantity, unit_price: price.amount }],
      });
      tell('erp', `takes an order by phone: ${quantity} × ${sku} for ${customer.name} (${order.id})`);
      return order.id;
    },
  };
}

export type ErpStaff = ReturnType<typeof createErpStaff>;
