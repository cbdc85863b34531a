import { cause } from '../domain/causes/cause.ts';
import { setAlert } from './alerts.ts';
import type { Known } from './context.ts';

interface LastStep {
  readonly finding: string | null;
  readonly page: { readonly raw: readonly unknown[]; readonly count: number };
}

/**
 * Tells of a list that does not show all the rows that it says it has: it counts some and shows none, or its pages never came
 * to the same rows twice. The alert stands until a read sees them all.
 * @param last the last step of a read; null where there was none
 */
export async function noteShort(
  context: Pick<Known, 'account' | 'store'>,
  collection: string,
  last: LastStep | null,
): Promise<void> {
  const isShort = last !== null && (last.finding === 'unstable' || isContradicted(last.page));
  const causes = isShort ? [cause('list-short', { collection, count: last.page.count })] : [];
  await setAlert(context, `read:rows-of-${collection}`, causes);
}

function isContradicted({ raw, count }: LastStep['page']): boolean {
  return raw.length === 0 && count > 0;
}
