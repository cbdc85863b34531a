import type { BaseRecord } from '../domain/order-base.ts';

export interface BaseStore {
  get(account: string, number: string): Promise<BaseRecord | null>;

  save(account: string, number: string, record: BaseRecord): Promise<void>;
}
