import type { ParamsOf } from '../domain/causes/cause.ts';
import { sentenceInShop } from '../domain/causes/in-shop.ts';
import { headline } from '../domain/headline.ts';
import type { Intent } from '../store/intents.ts';
import type { OpenPlan } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { isKeyedByErp, kindNamed } from './entity.ts';
import { eachDoubt } from './jobs/doubts.ts';
import type { Need } from './needs.ts';

const UNLINKED = 'product-unlinked';

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
  /** The write in doubt, where it is the only one of the need. */
  readonly doubt: Intent | null;
}

type Records = Pick<Store, 'brakes' | 'doubts' | 'erp' | 'products' | 'work'>;

/** The needs of an account as a shop is told of them, in the same order. */
export async function harmsOf(account: string, store: Records, needs: readonly Need[]): Promise<Harm[]> {
  const plans = needs.some(({ kind }) => kind === 'brake') ? await store.brakes.open(account) : [];
  return Promise.all(needs.map((need) => harmFrom(account, store, need, plans)));
}

async function harmFrom(account: string, store: Records, need: Need, plans: readonly OpenPlan[]): Promise<Harm> {
  const { kind, about, count } = need;
  const plan = plans.find((one) => kind === 'brake' && `${one.plan.flow}, ${one.plan.kind}` === about) ?? null;
  return {
    need,
    ...(await sentenceFor(account, store, need)),
    plan,
    doubt: kind === 'in doubt' && count === 1 ? await doubtOf(account, store, need) : null,
  };
}

/** The sentence that tells a shop of the cases of one cause. */
export async function sentenceFor(
  account: string,
  store: Omit<Records, 'brakes' | 'doubts'>,
  need: Pick<Need, 'kind' | 'about' | 'shared' | 'count' | 'example' | 'first'>,
): Promise<Pick<Harm, 'sentence' | 'words' | 'listing'>> {
  const { kind, about, shared, count, example, first } = need;
  const listing = await onlyListing(account, store, need);
  const product = await productNamed(account, store, first, listing);
  const words = sentenceInShop(example, { product });
  // Each case of several has a sentence of its own.
  const isFirst = count > 1 && kind !== 'brake' && shared === null && listing === null;
  const head = headline({ kind, about: kind === 'brake' ? about : (shared ?? about), count });
  return { sentence: isFirst ? `${head}. The first: ${words}` : `${head}: ${words}`, words, listing };
}

/** The listing that every case of a need waits for; null: it is another cause, or the cases wait for several listings. */
async function onlyListing(
  account: string,
  { work }: Pick<Records, 'work'>,
  { example, count }: Pick<Need, 'example' | 'count'>,
): Promise<number | null> {
  if (example.code !== UNLINKED) return null;
  const { product } = example.params as ParamsOf<typeof UNLINKED>;
  if (count === 1) return product;
  const causes = (await work.held(account)).flatMap(({ heldFor }) => heldFor ?? []);
  const listings = causes.flatMap((one) => (one.code === UNLINKED ? [one.params.product] : []));
  return listings.length >= count && listings.every((one) => one === product) ? product : null;
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

/** The write in doubt of a need that has only one. */
async function doubtOf(account: string, { doubts }: Records, { about, example }: Need): Promise<Intent | null> {
  for await (const one of eachDoubt({ doubts }, [account])) {
    if (one.state === 'in-doubt' && one.kind === about && one.evidence?.code === example.code) return one;
  }
  return null;
}
