import type { Ahead } from '../domain/ahead.ts';
import { cause } from '../domain/causes/cause.ts';
import { sideOfList } from '../domain/lists.ts';
import { setAlert } from './alerts.ts';
import type { AccountRecords } from './context.ts';

/** Watches a read for rows dated in the future. The alert ends with a read that has none. */
export function watchFutureRows(context: Pick<AccountRecords, 'account' | 'store'>, collection: string) {
  let count = 0;
  let first: Ahead | null = null;
  return {
    saw(ahead: readonly Ahead[] = []): void {
      count += ahead.length;
      first ??= ahead[0] ?? null;
    },
    async settle(): Promise<void> {
      const code = sideOfList(collection) === 'erp' ? 'erp-rows-ahead' : 'rows-ahead';
      const causes = first === null ? [] : [cause(code, { collection, count, ...first })];
      await setAlert(context, `read:times-of-${collection}`, causes);
    },
  };
}
