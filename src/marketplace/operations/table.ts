import { activityEntryOperations } from './activity-entries.ts';
import { batchOperations } from './batches.ts';
import { brandOperations } from './brands.ts';
import { catalogOperations } from './catalog.ts';
import { companyFamilyOperations } from './company-families.ts';
import { contactOperations } from './contacts.ts';
import { customerGroupOperations } from './customer-groups.ts';
import { customerStatusOperations } from './customer-statuses.ts';
import { customerOperations } from './customers.ts';
import { discussionOperations } from './discussions.ts';
import { distributionZoneOperations } from './distribution-zones.ts';
import { inventoryOperations } from './inventory.ts';
import { inventoryCommands } from './inventory-commands.ts';
import { invoicePaymentOperations } from './invoice-payments.ts';
import { managedCompanyOperations } from './managed-companies.ts';
import { notificationOperations } from './notifications.ts';
import { orderFamilyOperations } from './order-families.ts';
import { orderPaymentOperations } from './order-payments.ts';
import { orderOperations } from './orders.ts';
import { paymentContractOperations } from './payment-contracts.ts';
import { productAssignmentOperations } from './product-assignments.ts';
import { productImageOperations } from './product-images.ts';
import { productLineOperations } from './product-lines.ts';
import { productTileOperations } from './product-tiles.ts';
import { productOperations } from './products.ts';
import { promotionOperations } from './promotions.ts';
import { purchaseOrderOperations } from './purchase-orders.ts';
import { transportOrderOperations } from './transport-orders.ts';
import { transportPartnerOperations } from './transport-partners.ts';

/** Every operation of the marketplace, by id. */
export const OPERATIONS = {
  ...orderOperations,
  ...productOperations,
  ...customerOperations,
  ...customerStatusOperations,
  ...orderPaymentOperations,
  ...productImageOperations,
  ...brandOperations,
  ...orderFamilyOperations,
  ...companyFamilyOperations,
  ...contactOperations,
  ...activityEntryOperations,
  ...customerGroupOperations,
  ...paymentContractOperations,
  ...managedCompanyOperations,
  ...invoicePaymentOperations,
  ...discussionOperations,
  ...notificationOperations,
  ...purchaseOrderOperations,
  ...inventoryOperations,
  ...inventoryCommands,
  ...batchOperations,
  ...catalogOperations,
  ...distributionZoneOperations,
  ...productAssignmentOperations,
  ...productLineOperations,
  ...productTileOperations,
  ...promotionOperations,
  ...transportOrderOperations,
  ...transportPartnerOperations,
} as const;

export type OperationId = keyof typeof OPERATIONS;
