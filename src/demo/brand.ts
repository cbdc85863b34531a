import { casePrice, type SeedProduct, seedProducts } from '../sandbox/erp/seed.ts';
import type { SandboxErp } from '../sandbox/erp/server.ts';
import type { SandboxMarketplace } from '../sandbox/marketplace/start.ts';

/*
 * A sample brand on its first day: the ERP has every product; the marketplace has the first half by SKU, without ERP
 * ids; that half's last one is discontinued.
 */

const CUSTOMERS = [
  { name: 'Sunset Market', state: 'CA', shippingCharge: '15.00' },
  { name: 'Green Door', state: 'CA', shippingCharge: '0' },
  { name: 'Harbor Leaf', state: 'OR', shippingCharge: '25.00' },
  { name: 'North Star', state: 'NV', shippingCharge: '0' },
  { name: 'Mission Street', state: 'CA', shippingCharge: '15.00' },
  { name: 'Wildflower', state: 'CO', shippingCharge: '39.50' },
  { name: 'The Potting Shed', state: 'NV', shippingCharge: '12.00' },
  { name: 'Tide & Pine', state: 'OR', shippingCharge: '0' },
] as const;
/** Customers that the ERP has already. */
const KNOWN_CUSTOMERS = 2;

/** The ERP's products, the same for the same seed. */
function brandProducts(count: number, seed: number): SeedProduct[] {
  // None without products.
  const discontinued = listedCount(count) - 1;
  return [...seedProducts(count, seed)].map((product, index) =>
    index === discontinued ? { ...product, active: false } : product,
  );
}

/** The products already on the marketplace. */
export function listedCount(count: number): number {
  return Math.ceil(count / 2);
}

/** Fills both sides, which must be empty. */
export function seedBrand(
  marketplace: SandboxMarketplace,
  erp: SandboxErp,
  { products, seed }: { products: number; seed: number },
): void {
  const brand = brandProducts(products, seed);
  erp.control.addProducts(brand);
  marketplace.createProducts(brand.slice(0, listedCount(products)).map(listingOf));
  for (const [index, customer] of CUSTOMERS.entries()) {
    const id = marketplace.addCustomer(customer);
    if (index < KNOWN_CUSTOMERS) erp.control.addCustomer({ name: customer.name, marketplace_id: id });
  }
}

/** A listing entered by hand earlier, with that day's stock. */
function listingOf(product: SeedProduct, index: number) {
  const { sku, name, unit_multiplier: unitMultiplier = '1', on_hand: onHand = '0' } = product;
  return {
    sku,
    name,
    description: '',
    listing_state: 'Available',
    inventory_management: 1,
    wholesale_price: casePrice(product),
    unit_multiplier: unitMultiplier,
    quantity: index % 2 === 0 ? onHand : '0',
  };
}
