import type { AccountConfig } from '../../config/resolve.ts';
import { FLOWS, type FlowName, flowsOn } from '../../flows/flows.ts';
import { type Operation, type Permission, permissionText } from '../../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../../marketplace/operations/table.ts';
import type { TypedRequest } from '../api/request.ts';

/** A permission that the flows need, or a called operation without a documented permission. */
export interface PermissionNeed {
  /** `Orders: Read & Write`, or the operation's id. */
  readonly name: string;
  readonly permission: Permission | null;
  readonly access: 'read' | 'write';
  readonly flows: readonly FlowName[];
  readonly operations: readonly Operation[];
}

/** The distinct permissions that the flows need, reading before writing. */
export function permissionNeeds(account: AccountConfig): PermissionNeed[] {
  const called = flowsOn(account).flatMap((flow) =>
    FLOWS[flow]
      .operations(account)
      .map((id): { flow: FlowName; operation: Operation } => ({ flow, operation: OPERATIONS[id] })),
  );
  const byName = Map.groupBy(called, ({ operation: { id, permission } }) =>
    permission === null ? id : permissionText(permission),
  );
  const needs = [...byName].map(([name, uses]): PermissionNeed => {
    const operations = [...new Set(uses.map(({ operation }) => operation))];
    return {
      name,
      permission: operations[0]?.permission ?? null,
      access: operations.every(({ effect }) => effect === 'none') ? 'read' : 'write',
      flows: [...new Set(uses.map(({ flow }) => flow))],
      operations,
    };
  });
  const told = needs.filter((need) => !needs.some((other) => covers(other, need)));
  return [...told.filter(({ access }) => access === 'read'), ...told.filter(({ access }) => access === 'write')];
}

/** `Orders or Products: Read` is covered by `Orders: Read`. */
function covers({ permission: other }: PermissionNeed, { permission }: PermissionNeed): boolean {
  if (other === null || permission === null || other.access !== permission.access) return false;
  const [only, another] = other.anyOf;
  return only !== undefined && another === undefined && permission.anyOf.length > 1 && permission.anyOf.includes(only);
}

export interface Probe {
  readonly operation: Operation;
  readonly request: TypedRequest;
}

/** A list of one row, or of none without pages; null: every call needs a known id. */
export function readProbe({ operations }: Pick<PermissionNeed, 'operations'>, companyId: number): Probe | null {
  for (const operation of operations) {
    const nobodys = operation.paging === 'array' ? { product_id: '0' } : {};
    const known: Record<string, unknown> = { page_size: 1, limit: 1, company_id: companyId, ...nobodys };
    const names = Object.keys(operation.query.shape).filter((name) => Object.hasOwn(known, name));
    const query = Object.fromEntries(names.map((name) => [name, known[name]]));
    const path = Object.hasOwn(operation.pathParams.shape, 'company_id') ? { company_id: companyId } : {};
    const fits = operation.query.safeParse(query).success && operation.pathParams.safeParse(path).success;
    if (fits && operation.effect === 'none') return { operation, request: { path, query } };
  }
  return null;
}

/** A nonexistent id of each kind. */
export const NONEXISTENT_IDS = [0, '00000000-0000-0000-0000-000000000000', 2_147_483_647];

/**
 * An empty change of a nonexistent entity, which has no effect. A marketplace that checks permissions first returns 403
 * without the permission, 404 with it.
 */
export function writeProbe({ permission }: PermissionNeed, { marketplace }: AccountConfig): Probe | null {
  for (const operation of Object.values(OPERATIONS) as Operation[]) {
    const mine = marketplace.operations[operation.id as OperationId];
    if (operation.method !== 'PATCH' || mine?.method !== undefined) continue;
    if (operation.permission === null || permission === null) continue;
    if (permissionText(operation.permission) !== permissionText(permission)) continue;
    const [param, another] = Object.keys(operation.pathParams.shape);
    if (param === undefined || another !== undefined || operation.body?.safeParse({}).success !== true) continue;
    const id = NONEXISTENT_IDS.find((value) => operation.pathParams.safeParse({ [param]: value }).success);
    if (id !== undefined && operation.query.safeParse({}).success) {
      return { operation, request: { path: { [param]: id }, query: {}, body: {} } };
    }
  }
  return null;
}
