import { catalogOperations } from './catalog.ts';
import { companyOperations } from './companies.ts';
import { customerRecordOperations } from './customer-records.ts';
import { customerOperations } from './customers.ts';
import { inventoryOperations } from './inventory.ts';
import { logisticsOperations } from './logistics.ts';
import { messageOperations } from './messages.ts';
import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';

export const OPERATIONS = {
  ...orderOperations,
  ...productOperations,
  ...customerOperations,
  ...customerRecordOperations,
  ...catalogOperations,
  ...companyOperations,
  ...messageOperations,
  ...inventoryOperations,
  ...logisticsOperations,
} as const;

export type OperationId = keyof typeof OPERATIONS;
