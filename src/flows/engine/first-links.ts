import type { Cause, Code } from '../../domain/causes/cause.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import { lastRead } from '../list-ages.ts';
import type { AccountContext } from './context.ts';

/** Fact: all products that both sides had at the first start are linked where they belong together. */
export const FIRST_LINKED = 'first-linked';

/** Causes that hold every entity for a while at a first start. */
export const FIRST_START_HOLDS: readonly Code[] = [
  'customers-unread',
  'links-unknown',
  'listings-unread',
  'names-unread',
  'products-unread',
];
/** Causes that end once the first links are made. */
const UNTIL_LINKED: readonly Code[] = ['links-unknown', 'products-unread'];

type Linking = Pick<AccountContext, 'account' | 'store'>;

/** Once true, it stays true, so a restart waits for nothing. */
export async function areFirstLinked({ account, store }: Linking): Promise<boolean> {
  return (await store.facts.get(account, FIRST_LINKED)) !== null;
}

/** Releases what waited for the first links, all at once, when both sides were read and compared. */
export async function completeFirstLinks({ account, store }: Linking): Promise<void> {
  if (await areFirstLinked({ account, store })) return;
  if ((await store.facts.get(account, LISTINGS_KNOWN)) === null) return;
  if ((await lastRead(store, account, 'erp-products')) === null) return;
  if (await store.work.isLinking(account)) return;
  await store.facts.set(account, FIRST_LINKED, 'yes');
  await releaseLinked({ account, store });
}

/** Releases keys whose cause ended while they were put on hold. */
export async function releaseEnded(linking: Linking, causes: readonly Cause[]): Promise<void> {
  if (causes.some(({ code }) => code === 'listings-unread')) await releaseListed(linking);
  if (causes.some(({ code }) => UNTIL_LINKED.includes(code))) {
    await completeFirstLinks(linking);
    await releaseLinked(linking);
  }
}

/** Releases keys held while the last link was made. */
async function releaseLinked({ account, store }: Linking): Promise<void> {
  if (await areFirstLinked({ account, store }))
    await store.work.release({ account, codes: UNTIL_LINKED, isOver: true });
}

/** Releases products held while the first read of the listings ended. */
async function releaseListed({ account, store }: Linking): Promise<void> {
  if ((await store.facts.get(account, LISTINGS_KNOWN)) === null) return;
  await store.work.release({ account, codes: ['listings-unread'], isOver: true });
}
