import type { Handler } from '../call.ts';
import { companies, companyStaff, customerTiers, licenseTypes } from './companies.ts';
import { activityEntries, contacts, customerStatuses } from './crm.ts';
import { handlersOf } from './crud.ts';
import { addressHandlers } from './customer-addresses.ts';
import { customers } from './customers.ts';
import type { Family } from './family.ts';
import { orderPayments } from './order-payments.ts';
import { productLines } from './product-lines.ts';

/** Every family of records, by name. */
export const FAMILIES: ReadonlyMap<string, Family> = new Map(
  [
    customers,
    customerStatuses,
    customerTiers,
    licenseTypes,
    contacts,
    activityEntries,
    companies,
    companyStaff,
    orderPayments,
    productLines,
  ].map((family) => [family.name, family]),
);

/** What the marketplace does for the operations on records. */
export const recordHandlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Array.from(FAMILIES.values()).flatMap((family) => Object.entries(handlersOf(family)))),
  ...addressHandlers,
};
