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
/** Codes whose cases are decided one by one, where they are shown. */
const EACH_ALONE: readonly Code[] = [UNLINKED, 'archived-by-hand'];

/** The most cases decided where their need is shown. */
export const MOST_IN_PLACE = 20;

export const MOST_HARMS = 7;

/** A need in a shop's words, with what its act requires. */
export interface Harm {
  readonly need: Need;
  /** `3 orders wait: Hand-dipped candle is not linked to a product of yours`. */
  readonly sentence: string;
  /** The part of the sentence about the first case. */
  readonly words: string;
  /** The unlinked listing that all cases wait for; null: several, or another cause. */
  readonly listing: number | null;
  readonly plan: OpenPlan | null;
  /** The need's first doubtful writes. */
  readonly doubts: readonly Intent[];
  /** The first cases to decide one by one; empty: none. */
  readonly cases: readonly HeldCase[];
}

export type HeldCase = Omit<Stopped, 'sinceMs'>;

type Records = Pick<Store, 'brakes' | 'doubts' | 'erp' | 'products' | 'work'>;

/** An account's needs in a shop's words, in the same order. */
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

/** The sentence for a shop about the cases of one cause. */
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
  // Each of several cases has its own sentence.
  const isOne = count === 1 && listingsIn(cases).size < 2;
  const isFirst = !isOne && kind !== 'brake' && shared === null && listing === null;
  const head = headline({ kind, about: kind === 'brake' ? about : (shared ?? about), count });
  return { sentence: isFirst ? `${head}. The first: ${words}` : `${head}: ${words}`, words, listing };
}

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

/** The unlinked listings that cases wait for, each with the waiting keys. */
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

/** The listing that every case waits for; null: several, or another cause. */
function onlyListing({ example, count }: Pick<Need, 'example' | 'count'>, cases: readonly HeldCase[]): number | null {
  const listing = unlinkedIn(example);
  const isSame = [...listingsIn(cases).keys()].every((one) => one === listing);
  return isSame && (count === 1 || cases.length >= count) ? listing : null;
}

/** The name of the listing, or of the product under a flow's key. */
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
