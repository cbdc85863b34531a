import type { Code, ParamsOf } from '../domain/causes/cause.ts';
import { awayInShop, sentenceInShop } from '../domain/causes/in-shop.ts';
import { headline } from '../domain/headline.ts';
import type { Intent } from '../store/intents.ts';
import type { OpenPlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { isKeyedByErp, kindNamed } from './entity.ts';
import type { Stopped } from './jobs/cases.ts';
import { eachDoubt } from './jobs/doubts.ts';
import type { Need } from './needs.ts';

const UNLINKED = 'product-unlinked';
/** The codes whose cases are decided one by one, where the cases are shown. */
const EACH_ALONE: readonly Code[] = [UNLINKED, 'archived-by-hand'];

/** The most cases of a need that are decided where the need is shown. */
export const MOST_IN_PLACE = 20;

/** The most harms that are told before the others are folded away. */
export const MOST_HARMS = 7;

/** A need as a shop is told of it, with everything that its act takes. */
export interface Harm {
  readonly need: Need;
  /** `3 orders wait: Hand-dipped candle is not linked to a product of yours`. */
  readonly sentence: string;
  /** The part of the sentence that tells of the first case. */
  readonly words: string;
  /** The listing without a link that all cases wait for; null: they wait for something else, or for several. */
  readonly listing: number | null;
  /** The plan that waits for an approval. */
  readonly plan: OpenPlan | null;
  /** The writes in doubt of the need, the first of them. */
  readonly doubts: readonly Intent[];
  /** The cases that are decided one by one, the first that stopped at the beginning; empty: none is. */
  readonly cases: readonly HeldCase[];
}

/** Something that is held, with one cause of it. */
export type HeldCase = Omit<Stopped, 'sinceMs'>;

type Records = Pick<Store, 'brakes' | 'doubts' | 'erp' | 'products' | 'work'>;

/** The needs of an account as a shop is told of them, in the same order. */
export async function harmsOf(account: string, store: Records, needs: readonly Need[]): Promise<Harm[]> {
  const plans = needs.some(({ kind }) => kind === 'brake') ? await store.brakes.open(account) : [];
  return Promise.all(needs.map((need) => harmFrom(account, store, need, plans)));
}

async function harmFrom(account: string, store: Records, need: Need, plans: readonly OpenPlan[]): Promise<Harm> {
  const { kind, about } = need;
  const plan = plans.find((one) => kind === 'brake' && `${one.plan.flow}, ${one.plan.kind}` === about) ?? null;
  const cases = await casesOf(account, store, need);
  return {
    need,
    ...(await sentenceFor(account, store, need, cases)),
    plan,
    doubts: kind === 'in doubt' ? await doubtsOf(account, store, need) : [],
    cases,
  };
}

/** The sentence that tells a shop of the cases of one cause. */
export async function sentenceFor(
  account: string,
  store: Omit<Records, 'brakes' | 'doubts'>,
  need: Pick<Need, 'kind' | 'about' | 'shared' | 'count' | 'example' | 'first'>,
  known?: readonly HeldCase[],
): Promise<Pick<Harm, 'sentence' | 'words' | 'listing'>> {
  const { kind, about, shared, count, example, first } = need;
  const away = kind === 'alert' ? awayInShop(example.code) : null;
  if (away !== null) return { sentence: away, words: away, listing: null };
  const cases = known ?? (await casesOf(account, store, need));
  const listing = onlyListing(need, cases);
  const product = await productNamed(account, store, first, unlinkedIn(example));
  const words = sentenceInShop(example, { product });
  // Each case of several has a sentence of its own.
  const isOne = count === 1 && listingsIn(cases).size < 2;
  const isFirst = !isOne && kind !== 'brake' && shared === null && listing === null;
  const head = headline({ kind, about: kind === 'brake' ? about : (shared ?? about), count });
  return { sentence: isFirst ? `${head}. The first: ${words}` : `${head}: ${words}`, words, listing };
}

/** The cases of a need that are decided one by one. */
async function casesOf(
  account: string,
  { work }: Pick<Records, 'work'>,
  { about, example: { code } }: Pick<Need, 'about' | 'example'>,
): Promise<HeldCase[]> {
  if (!EACH_ALONE.some((one) => one === code)) return [];
  const flows = about.split(', ');
  const held = (await work.held(account)).filter(({ flow }) => flows.includes(flow));
  return held.flatMap(({ flow, key, heldFor }) =>
    (heldFor ?? []).flatMap((cause) => (cause.code === code ? [{ account, flow, key, cause }] : [])),
  );
}

/** The listings without a link that cases wait for, each with the keys that wait for it. */
export function listingsIn(cases: readonly HeldCase[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { key, cause } of cases) {
    const listing = unlinkedIn(cause);
    if (listing !== null) found.set(listing, [...(found.get(listing) ?? []), key]);
  }
  return found;
}

function unlinkedIn({ code, params }: { readonly code: string; readonly params: unknown }): number | null {
  return code === UNLINKED ? (params as ParamsOf<typeof UNLINKED>).product : null;
}

/** The listing that every case of a need waits for; null: it is another cause, or the cases wait for several listings. */
function onlyListing({ example, count }: Pick<Need, 'example' | 'count'>, cases: readonly HeldCase[]): number | null {
  const listing = unlinkedIn(example);
  const isSame = [...listingsIn(cases).keys()].every((one) => one === listing);
  return isSame && (count === 1 || cases.length >= count) ? listing : null;
}

/** The name of the listing, or of the product that a flow looks at under this key. */
async function productNamed(
  account: string,
  { erp, products }: Pick<Records, 'erp' | 'products'>,
  first: Need['first'],
  listing: number | null,
): Promise<string | null> {
  if (listing !== null) return (await products.get(account, listing))?.name ?? null;
  if (first === null || kindNamed(first.flow) !== 'product') return null;
  const { flow, key } = first;
  const found = isKeyedByErp(flow) ? await erp.product(account, key) : await products.get(account, Number(key));
  return found?.name ?? null;
}

async function doubtsOf(account: string, { doubts }: Records, { about, example }: Need): Promise<Intent[]> {
  const kinds = about.split(', ');
  const found: Intent[] = [];
  for await (const one of eachDoubt({ doubts }, [account])) {
    const isIt = one.state === 'in-doubt' && kinds.includes(one.kind) && one.evidence?.code === example.code;
    if (isIt) found.push(one);
    if (found.length >= MOST_IN_PLACE) break;
  }
  return found;
}
