import { brandOperations } from './brands.ts';
import { customerStatusOperations } from './customer-statuses.ts';
import { customerOperations } from './customers.ts';
import { inventoryOperations } from './inventory.ts';
import { inventoryCommands } from './inventory-commands.ts';
import { orderPaymentOperations } from './order-payments.ts';
import { orderOperations } from './orders.ts';
import { productImageOperations } from './product-images.ts';
import { productOperations } from './products.ts';

/** Every operation of the marketplace, by id. */
export const OPERATIONS = {
  ...orderOperations,
  ...productOperations,
  ...customerOperations,
  ...customerStatusOperations,
  ...orderPaymentOperations,
  ...productImageOperations,
  ...brandOperations,
  ...inventoryOperations,
  ...inventoryCommands,
} as const;

export type OperationId = keyof typeof OPERATIONS;
