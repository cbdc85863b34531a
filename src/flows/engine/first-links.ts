import type { Cause, Code } from '../../domain/causes/cause.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { AccountContext } from './context.ts';

/** Fact: all entities that both sides had at the first start are linked where they belong together. */
const FIRST_LINKED = 'first-linked';

/** Causes that hold every entity for a while at a first start. */
export const AT_FIRST: readonly Code[] = ['customers-unread', 'links-unknown', 'listings-unread', 'names-unread'];

type Linking = Pick<AccountContext, 'account' | 'store'>;

/** Once true, it stays true, so a restart waits for nothing. */
export async function areFirstLinked({ account, store }: Linking): Promise<boolean> {
  return (await store.facts.get(account, FIRST_LINKED)) !== null;
}

/** Releases the stock that waited for the first links, all at once, when both sides were read and compared. */
export async function noteFirstLinks({ account, store }: Linking): Promise<void> {
  if (await areFirstLinked({ account, store })) return;
  if ((await store.facts.get(account, LISTINGS_KNOWN)) === null) return;
  const read = await store.cursors.collections(account);
  if (!read.includes('all-erp-products') && !read.includes('erp-products')) return;
  if (await store.work.isLinking(account)) return;
  await store.facts.set(account, FIRST_LINKED, 'yes');
  await releaseLinked({ account, store });
}

/** Releases keys whose cause ended while they were put on hold. */
export async function releaseArrived(linking: Linking, causes: readonly Cause[]): Promise<void> {
  if (causes.some(({ code }) => code === 'listings-unread')) await releaseListed(linking);
  if (causes.some(({ code }) => code === 'links-unknown')) {
    await noteFirstLinks(linking);
    await releaseLinked(linking);
  }
}

/** Releases keys held while the last link was made. */
async function releaseLinked({ account, store }: Linking): Promise<void> {
  if (await areFirstLinked({ account, store }))
    await store.work.release({ account, codes: ['links-unknown'], isOver: true });
}

/** Releases products held while the first read of the listings ended. */
async function releaseListed({ account, store }: Linking): Promise<void> {
  if ((await store.facts.get(account, LISTINGS_KNOWN)) === null) return;
  await store.work.release({ account, codes: ['listings-unread'], isOver: true });
}
