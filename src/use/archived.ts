import { withDecision } from '../flows/product/archived.ts';
import type { ArchiveDecision } from '../flows/product/snapshot.ts';
import { NotFound, Refused } from './faults.ts';
import type { Opened } from './open.ts';

/** The audit act for each decision about a listing archived by hand; `open`: withdrawn. */
const ACTIONS = {
  'asked-back': 'product.ask-back',
  left: 'product.leave-archived',
  open: 'product.ask-again',
} as const;

export type ArchivedChoice = keyof typeof ACTIONS;
export const ARCHIVED_CHOICES = Object.keys(ACTIONS) as ArchivedChoice[];

/** Records one decision about several listings. Returns why some were not changed; null: all were. */
export async function decideAllArchived(
  opened: Opened,
  account: string,
  listings: readonly number[],
  said: ArchivedChoice,
): Promise<{ readonly done: readonly number[]; readonly left: string | null }> {
  const done: number[] = [];
  const left: Error[] = [];
  for (const listing of listings) {
    try {
      await decideArchived(opened, account, listing, said);
      done.push(listing);
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Refused)) throw error;
      left.push(error);
    }
  }
  const [first] = left;
  if (done.length === 0 && first !== undefined) throw first;
  return { done, left: left.length === 0 ? null : left.map(({ message }) => message).join('; ') };
}

/**
 * Records whether the product flow restores a listing archived by hand, or leaves it. If it is archived again, the
 * question returns.
 * @throws Refused when it is no longer archived
 */
export async function decideArchived(
  { store, by }: Opened,
  account: string,
  listing: number,
  said: ArchivedChoice,
): Promise<void> {
  const mapping = await store.mappings.byMarketplaceId(account, 'product', String(listing));
  if (mapping?.erpId == null) throw new NotFound(`listing ${listing} is linked to no product`);
  const { id, erpId: key, echoes } = mapping;
  const shown = await store.products.get(account, listing);
  if (shown?.archived !== true) throw new Refused(`listing ${listing} is not archived any more`);
  const told: ArchiveDecision | null = said === 'open' ? null : said;
  await store.mappings.saveEchoes(id, withDecision(echoes, told));
  const about = { account, flow: 'product', key, before: null, after: null, outcome: 'done', resultOf: null };
  await store.audit.add({ ...about, action: ACTIONS[said], target: `listing ${listing}`, who: by });
  await store.work.mark([{ account, flow: 'product', key }], 'operator', `said by ${by}`);
}
