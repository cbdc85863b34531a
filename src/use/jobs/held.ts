import type { Store } from '../../store/store.ts';
import type { WorkRow } from '../../store/work.ts';

const AT_ONCE = 1_000;

/** Every held key of an account, in the order of flows and keys, from after a key or from the first. */
export async function* eachHeld(
  account: string,
  { work }: Pick<Store, 'work'>,
  after: Pick<WorkRow, 'flow' | 'key'> | null = null,
): AsyncGenerator<WorkRow> {
  let page = await work.heldAfter(account, after, AT_ONCE);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await work.heldAfter(account, last, AT_ONCE);
  }
}
