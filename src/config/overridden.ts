import { shownPath } from '../marketplace/operations/moved.ts';
import type { Operation } from '../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../marketplace/operations/table.ts';
import type { AccountConfig } from './resolve.ts';

export interface Overridden {
  readonly id: OperationId;
  /** `GET /vehicles/?id={id}`: the query has the parameters that the path lacks. */
  readonly now: string;
  readonly table: string;
}

export function overriddenIn({ marketplace }: Pick<AccountConfig, 'marketplace'>): Overridden[] {
  const entries = Object.entries(marketplace.operations) as [OperationId, { method?: string; path?: string }][];
  return entries.flatMap(([id, { method, path }]) => {
    if (method === undefined && path === undefined) return [];
    const operation: Operation = OPERATIONS[id];
    const mine = { pathParams: operation.pathParams, path: path ?? operation.path };
    const now = `${method ?? operation.method} ${shownPath(mine)}`;
    return [{ id, now, table: `${operation.method} ${operation.path}` }];
  });
}
