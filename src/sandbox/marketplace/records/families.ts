import type { Handler } from '../call.ts';
import { BRAND_FAMILIES, brandHandlers } from './brands.ts';
import { CATALOG_FAMILIES } from './catalog.ts';
import { companies, companyStaff, customerTiers, licenseTypes } from './companies.ts';
import { activityEntries, contacts, customerStatuses } from './crm.ts';
import { handlersOf } from './crud.ts';
import { customerGroupHandlers, customerGroups } from './customer-groups.ts';
import { addressHandlers, customers } from './customers.ts';
import { discussionHandlers, discussions } from './discussions.ts';
import type { Family } from './family.ts';
import { FINANCE_FAMILIES, financeHandlers } from './finance.ts';
import { LOGISTICS_FAMILIES } from './logistics.ts';
import { NOTIFICATION_FAMILIES, notificationHandlers } from './notifications.ts';
import { ORDER_FAMILIES, orderFamilyHandlers } from './order-families.ts';
import { orderPayments } from './order-payments.ts';
import { productImageHandlers, productImages } from './product-images.ts';
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
    customerGroups,
    discussions,
    productImages,
    ...BRAND_FAMILIES,
    ...FINANCE_FAMILIES,
    ...NOTIFICATION_FAMILIES,
    ...ORDER_FAMILIES,
    ...CATALOG_FAMILIES,
    ...LOGISTICS_FAMILIES,
    productLines,
  ].map((family) => [family.name, family]),
);

/** The work of the marketplace for the operations on records. */
export const recordHandlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Array.from(FAMILIES.values()).flatMap((family) => Object.entries(handlersOf(family)))),
  ...addressHandlers,
  ...customerGroupHandlers,
  ...discussionHandlers,
  ...productImageHandlers,
  ...brandHandlers,
  ...financeHandlers,
  ...notificationHandlers,
  ...orderFamilyHandlers,
};
