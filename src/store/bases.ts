import type { BaseRecord } from '../domain/order-base.ts';

/** The last state of each order on which both sides agreed, by the order's number on the marketplace. */
export interface BaseStore {
  get(account: string, number: string): Promise<BaseRecord | null>;

  save(account: string, number: string, record: BaseRecord): Promise<void>;
}
