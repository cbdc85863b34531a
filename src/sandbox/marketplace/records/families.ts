import type { Handler } from '../call.ts';
import { refuse } from '../refusal.ts';
import { BRAND_FAMILIES, shopBrands, sponsorshipContent } from './brands.ts';
import { CATALOG_FAMILIES } from './catalog.ts';
import { COMPANY_FAMILIES } from './companies.ts';
import { handlersOf } from './crud.ts';
import { CUSTOMER_FAMILIES } from './customers.ts';
import type { Family } from './family.ts';
import { FINANCE_FAMILIES } from './finance.ts';
import { LOGISTICS_FAMILIES } from './logistics.ts';
import { MESSAGE_FAMILIES } from './messages.ts';
import { approvePurchaseOrder, ORDER_FAMILIES } from './orders.ts';
import { PRODUCT_FAMILIES } from './products.ts';

/** Every family of records, by name. */
const FAMILIES: ReadonlyMap<string, Family> = new Map(
  [
    ...CUSTOMER_FAMILIES,
    ...COMPANY_FAMILIES,
    ...PRODUCT_FAMILIES,
    ...BRAND_FAMILIES,
    ...FINANCE_FAMILIES,
    ...MESSAGE_FAMILIES,
    ...ORDER_FAMILIES,
    ...CATALOG_FAMILIES,
    ...LOGISTICS_FAMILIES,
  ].map((family) => [family.name, family]),
);

/** @throws Refusal 404 */
export function familyNamed(name: string): Family {
  const family = FAMILIES.get(name);
  if (!family) throw refuse(404, `There are no records named ${name}; there are: ${[...FAMILIES.keys()].join(', ')}.`);
  return family;
}

/** The handlers of the operations on records. */
export const recordHandlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Array.from(FAMILIES.values()).flatMap((family) => Object.entries(handlersOf(family)))),
  'shop-brands.get': shopBrands,
  'sponsorship-content.get': sponsorshipContent,
  'purchase-orders.approve': approvePurchaseOrder,
};
