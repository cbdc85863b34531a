import { withTold } from '../flows/product/archived.ts';
import type { ArchiveAnswer } from '../flows/product/snapshot.ts';
import { NotFound, Refused } from './faults.ts';
import type { Opened } from './open.ts';

/** The act on record for what a person said of a listing that was archived by hand; `open`: taken back. */
const ACTIONS = {
  'asked-back': 'product.ask-back',
  left: 'product.leave-archived',
  open: 'product.ask-again',
} as const;

/** A decision about a listing that was archived by hand. */
export type ArchivedChoice = keyof typeof ACTIONS;
export const ARCHIVED_SAID = Object.keys(ACTIONS) as ArchivedChoice[];

/** Records one decision about several listings. Answers why some were left as they are; null: none was. */
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
 * Records what is to become of a listing that somebody archived on the marketplace: the flow of products brings it back, or leaves it. A
 * listing that comes back, and is archived by hand once more, is asked about anew.
 * @throws Refused when the listing is not archived any more
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
  const told: ArchiveAnswer | null = said === 'open' ? null : said;
  await store.mappings.saveEchoes(id, withTold(echoes, told));
  const about = { account, flow: 'product', key, before: null, after: null, outcome: 'done', resultOf: null };
  await store.audit.add({ ...about, action: ACTIONS[said], target: `listing ${listing}`, who: by });
  await store.work.mark([{ account, flow: 'product', key }], 'operator', `said by ${by}`);
}
