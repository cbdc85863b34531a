import { onTestFinished } from 'vitest';
import { openSides, type Sides } from '../../src/demo/sides.ts';
import { casePrice } from '../../src/sandbox/erp/seed.ts';
import type { OrderState } from '../../src/sandbox/marketplace/actions.ts';

/** Two sides with four products and one order, brought into step by hand. Comparing them needs no daemon. */
export async function openInStep(): Promise<{ sides: Sides; order: OrderState; erpId: string }> {
  const sides = await openSides({ products: 4, seed: 1 });
  onTestFinished(() => sides.close());
  const { marketplace, erp } = sides;
  for (const inErp of erp.control.state().products) {
    const { sku, active, unit_multiplier } = inErp;
    const stock = Number(erp.control.stockOf(sku).available);
    const listing = marketplace.products().find((one) => one.sku === sku);
    const fields = { sku, name: sku, wholesale_price: casePrice(inErp), unit_multiplier, inventory_management: 1 };
    const { id } = listing ?? marketplace.createProduct(fields);
    marketplace.setProduct(id, { quantity: stock });
    if (!active) marketplace.archiveProduct(id);
  }
  const { id: product, price } = marketplace.productBySku('SB-0001');
  const [customer] = marketplace.customers();
  const placed = marketplace.placeOrder({ customer: customer?.id ?? 0, items: [{ product, quantity: '2' }] });
  const created = await fetch(`${sides.erp.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sides.erpToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      reference: placed.number,
      status: 'reserved',
      customer: {},
      currency: 'USD',
      lines: [{ sku: 'SB-0001', quantity: '2', unit_price: price.amount }],
      discount: '0',
      shipping: '15.00',
      tax: '0',
      total: placed.total,
    }),
  });
  const { id: erpId } = (await created.json()) as { id: string };
  return { sides, order: marketplace.editOrder(placed.number, { external_id: erpId }), erpId };
}
