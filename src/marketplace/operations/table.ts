import { inventoryOperations } from './inventory.ts';
import { inventoryCommands } from './inventory-commands.ts';
import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';

/** Every operation of the marketplace, by id. */
export const OPERATIONS = {
  ...orderOperations,
  ...productOperations,
  ...inventoryOperations,
  ...inventoryCommands,
} as const;

export type OperationId = keyof typeof OPERATIONS;
