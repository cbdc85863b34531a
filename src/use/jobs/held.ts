import type { Store } from '../../store/store.ts';
import type { WorkRow } from '../../store/work.ts';
import { eachRow } from '../each-row.ts';

const AT_ONCE = 1_000;

/** Every held key of an account, in the order of flows and keys, from after a key or from the first. */
export function eachHeld(
  account: string,
  { work }: Pick<Store, 'work'>,
  after: Pick<WorkRow, 'flow' | 'key'> | null = null,
): AsyncGenerator<WorkRow> {
  return eachRow((last) => work.heldAfter(account, last ?? after, AT_ONCE));
}
