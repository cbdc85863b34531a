import type { Actions } from './actions.ts';
import { type CatalogueItem, catalogue } from './catalogue.ts';
import type { CustomerDraft } from './control-schema.ts';
import { createChance } from './prng.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import type { Fields } from './wire-values.ts';

export interface SeedSize {
  readonly products: number;
  readonly customers: number;
}

const SHOPS = [
  'Green Door',
  'Harbor Leaf',
  'Sundial',
  'North Star',
  'Mission Street',
  'The Potting Shed',
  'Wildflower',
] as const;
const KINDS = ['Dispensary', 'Collective', 'Apothecary', 'Provisions', 'Market'] as const;
const CITIES = [
  { city: 'Oakland', state: 'CA', zipcode: '94607' },
  { city: 'Sacramento', state: 'CA', zipcode: '95814' },
  { city: 'Long Beach', state: 'CA', zipcode: '90802' },
  { city: 'Portland', state: 'OR', zipcode: '97205' },
  { city: 'Eugene', state: 'OR', zipcode: '97401' },
  { city: 'Denver', state: 'CO', zipcode: '80205' },
  { city: 'Reno', state: 'NV', zipcode: '89501' },
] as const;
const SHIPPING = ['0', '15.00', '25.00', '39.50'] as const;

/** Fills an empty marketplace with made-up products and customers, the same for the same seed. */
export function seedMarketplace(actions: Actions, seed: number | string, size: SeedSize): void {
  actions.createProducts(catalogue(seed, size.products).map(productFields));
  for (const customer of customers(seed, size.customers)) actions.addCustomer(customer);
}

/** A catalogue item as the body of a product create. */
export function productFields(item: CatalogueItem): Fields {
  const money = { amount: item.price, currency: item.currency };
  return {
    sku: item.sku,
    name: item.name,
    description: item.description,
    listing_state: 'Available',
    inventory_management: 1,
    quantity: item.quantity,
    wholesale_price: money,
    unit_multiplier: item.unitMultiplier,
    unit_of_measure: 'Unit',
    minimum_order: 1,
    category: item.category,
    brand: DEFAULT_SETTINGS.brand,
  };
}

function customers(seed: number | string, count: number): CustomerDraft[] {
  const chance = createChance(`customers ${seed}`);
  return Array.from({ length: count }, (_, index) => {
    const place = chance.pick(CITIES);
    const street = `${chance.whole(10, 4900)} ${chance.pick(['Grove', 'Market', 'Alder', 'Second', 'Mill'])} St`;
    return {
      name: `${chance.pick(SHOPS)} ${chance.pick(KINDS)} #${index + 1}`,
      state: place.state,
      shippingCharge: chance.pick(SHIPPING),
      fields: { delivery_address: { address: street, ...place, country: 'US' } },
    };
  });
}
