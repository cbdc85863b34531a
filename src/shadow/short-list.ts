import { cause } from '../domain/causes/cause.ts';
import { setAlert } from './alerts.ts';
import type { Known } from './context.ts';

interface LastStep {
  readonly finding: string | null;
  readonly page: { readonly raw: readonly unknown[]; readonly count: number };
}

/**
 * Raises an alert when a list does not show all the rows that it states: it counts rows and shows none, or it shows different
 * rows each time. The alert stays until a read sees all rows.
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
