import { CallFailure } from '../../domain/failure.ts';

/**
 * The address of one order: its id is one segment, whatever it is made of.
 * @throws CallFailure `refused`, `not-applied`, for an id that would be another address: none, `.` and `..`, which no
 * encoding protects, and half a character, which cannot be encoded
 */
export function orderPath(id: string): string {
  if (!/^\.{0,2}$/.test(id) && id.isWellFormed()) return `/v1/orders/${encodeURIComponent(id)}`;
  throw new CallFailure(
    `The ERP was not asked for its order ${JSON.stringify(id)}: no address can name it. Give it another id there.`,
    { side: 'erp', kind: 'refused', outcome: 'not-applied' },
  );
}
