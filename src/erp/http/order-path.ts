import { CallFailure } from '../../domain/failure.ts';

/**
 * The address of one order. Its id is one segment of the path, whatever characters it has.
 * @throws CallFailure `refused`, `not-applied`, for an id that no address can name. An empty id, `.` and `..` would
 * lead to another address, encoded or not. An id with half a surrogate pair cannot be encoded.
 */
export function orderPath(id: string): string {
  if (!/^\.{0,2}$/.test(id) && id.isWellFormed()) return `/v1/orders/${encodeURIComponent(id)}`;
  throw new CallFailure(
    `The ERP was not asked for its order ${JSON.stringify(id)}: no address can name it. Give it another id there.`,
    { side: 'erp', kind: 'refused', outcome: 'not-applied' },
  );
}
