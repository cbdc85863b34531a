import { brakeStateText } from '../brake.ts';
import { unitCountText } from '../figure-text.ts';
import { moneyText } from '../money-text.ts';
import { targetInShop } from '../target-text.ts';
import { type Code, type ParamsOf, type ShownCause, sentenceOf } from './cause.ts';

/* Causes in a shop's words, for the overview. A code that is missing here uses its own sentence. */

export interface Known {
  /** null: unknown, or the product has none. */
  readonly product: string | null;
}

type Words = { readonly [Name in Code]?: (params: ParamsOf<Name>, known: Known) => string };

const MOVES: Readonly<Record<string, (before: string, after: string) => string>> = {
  price: (before, after) => `from ${moneyText(before)} to ${moneyText(after)}`,
  reprice: (before, after) => `from ${moneyText(before)} to ${moneyText(after)}`,
  archive: () => 'would be archived',
  zero: (before) => `from ${before} to 0`,
  increase: (before, after) => `from ${before} to ${after}`,
};

function movedText({ brake, before, after, target }: Braked, known: Known): string {
  const [from, to] = [before ?? 'nothing', after ?? 'nothing'];
  return `${known.product ?? targetInShop(target)} ${MOVES[brake]?.(from, to) ?? `from ${from} to ${to}`}`;
}

type Braked = Pick<ParamsOf<'brake-plan'>, 'brake' | 'before' | 'after' | 'target'>;

const refusedText = (state: string, by: string): string => `was ${brakeStateText(state)} by ${by}`;

const WORDS: Words = {
  'product-unlinked': ({ product }, known) =>
    `${known.product ?? `listing ${product}`} is not linked to a product of yours`,
  'cancel-refused': ({ erpOrder, status }) =>
    `order ${erpOrder} is ${status} on the marketplace, and the ERP does not cancel it`,
  oversold: ({ sku, by, place }, known) =>
    `buyers have ordered ${unitCountText(by)} more of ${known.product ?? sku} than are in stock${place === null ? '' : ` at ${place}`}`,
  'stock-not-kept': ({ sku }, known) =>
    `the marketplace keeps no stock of ${known.product ?? sku}, so buyers can order more than there is`,
  'archived-by-hand': ({ sku }, known) =>
    `somebody archived ${known.product ?? sku} on the marketplace, so buyers cannot order it`,
  'listing-gone': ({ sku }, known) => `${known.product ?? sku} is gone from the marketplace`,
  'brake-plan': (write, known) => movedText(write, known),
  'brake-refused': ({ state, by, ...write }, known) => `${movedText(write, known)}, which ${refusedText(state, by)}`,
  'fall-refused': ({ sku, offered, place, state, by }, known) =>
    `buyers can order ${offered} of ${known.product ?? sku}${place == null ? '' : ` at ${place}`}, but none is in stock: the write of the lower stock ${refusedText(state, by)}`,
  'dry-run': () => 'this is a dry run, in which nothing is written',
  'not-in-plan': () => 'it is not in the plan that is applied',
  paused: ({ reason }) => `it is paused: ${reason}`,
  'brake-kind-waits': ({ exceeds }) =>
    ['too-many-writes', 'too-large-a-share'].includes(exceeds.code)
      ? 'so many at once exceed the limit of the brake'
      : `each ${sentenceOf(exceeds)}`,
  'several-match': ({ found }) => `it may be ${found.join(' or ')}`,
  'made-and-not-found': () => 'the other side accepted it, but does not show the result',
};

const AWAY: { readonly [Name in Code]?: string } = {
  'marketplace-credentials':
    'The marketplace rejects our key. Nothing is read or written there until it accepts one, and nothing is lost',
  'erp-credentials':
    'The ERP rejects our key. Nothing is read or written there until it accepts one, and nothing is lost',
  'marketplace-unavailable':
    'The marketplace does not answer. Nothing is read or written there meanwhile, and nothing is lost',
  'erp-unavailable': 'The ERP does not answer. Nothing is read or written there meanwhile, and nothing is lost',
};

/** Returns the full sentence about a side that is unavailable. null: the cause is another one. */
export function awayInShop(code: string): string | null {
  return (Object.hasOwn(AWAY, code) ? AWAY[code as Code] : undefined) ?? null;
}

/** Without its full stop. */
export function sentenceInShop(
  { code, params, text }: Pick<ShownCause, 'code' | 'text'> & { readonly params: unknown },
  known: Known,
): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code as Code] : undefined;
  return words === undefined ? text : words(params as never, known);
}
