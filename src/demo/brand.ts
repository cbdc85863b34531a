import { casePrice, type SeedProduct, seedProducts } from '../sandbox/erp/seed.ts';
import type { SandboxErp } from '../sandbox/erp/server.ts';
import type { SandboxMarketplace } from '../sandbox/marketplace/start.ts';

/*
 * A made-up brand on both sides, as they are found on a first day: the ERP has every product, the marketplace only the
 * first half of them, under the same SKUs and without their ERP ids; the last of that half is not sold any more.
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
/** The ERP knows the first customers already. */
const KNOWN_CUSTOMERS = 2;

/** The brand's products as the ERP has them; the same for the same seed. */
function brandProducts(count: number, seed: number): SeedProduct[] {
  // The last one that the marketplace has. Without products, there is none.
  const discontinued = listedCount(count) - 1;
  return [...seedProducts(count, seed)].map((product, index) =>
    index === discontinued ? { ...product, active: false } : product,
  );
}

/** How many of the products the marketplace has already. */
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

/** A listing that somebody typed in by hand some time ago, with the stock of that day. */
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
