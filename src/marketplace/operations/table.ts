import { orderOperations } from './orders.ts';
import { productOperations } from './products.ts';

/** Every operation of the marketplace, by id. */
export const OPERATIONS = { ...orderOperations, ...productOperations } as const;

export type OperationId = keyof typeof OPERATIONS;
