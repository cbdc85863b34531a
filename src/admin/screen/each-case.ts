import { shownCause } from '../../domain/causes/cause.ts';
import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import { counted } from '../../domain/counted.ts';
import type { Intent } from '../../store/intents.ts';
import { entityLabel } from '../../use/entity-label.ts';
import { type Harm, type HeldCase, listingsIn, MOST_IN_PLACE } from '../../use/harms.ts';
import { targetOf } from '../../use/jobs/doubts.ts';
import { doubtActs } from './doubt-card.ts';
import { entityNamed } from './entity-names.ts';
import { address, type Content, type Html, html } from './html.ts';
import { type LinkSearch, linkingInPlace, type Searching } from './linking.ts';
import { action, type PageContext } from './page.ts';
import { cut, entityLink, lasting } from './show.ts';

/* The cases of one need that are decided one by one, each with its act where the need is shown. */

/** The single cases of a need, folded in; null: it has one case alone, or none has an act of its own for this person. */
export async function eachCase(context: PageContext, harm: Harm, sought: LinkSearch): Promise<Content> {
  if (context.form === null || context.caller.role !== 'operator') return null;
  const part = await partOf(context, harm, sought);
  if (part === null) return null;
  const { about, example } = harm.need;
  const { code } = example;
  const id = `each-${about}-${code}`.replaceAll(/\W+/g, '-');
  const isOpen = listingsIn(harm.cases).has(Number(sought.half));
  const all = address('needs', { account: context.account, state: part.state, error: code });
  return html`<details id="${id}" class="each"${isOpen ? html` open` : null}><summary>Decide one by one</summary>${part.rows}${part.isAll ? null : html`<p><a href="${all}">The others</a></p>`}</details>`;
}

interface Part {
  readonly state: 'in-doubt' | 'held';
  readonly rows: Content;
  /** Every case is in a row. */
  readonly isAll: boolean;
}

async function partOf(
  context: PageContext,
  { need, doubts, cases, listing }: Harm,
  sought: LinkSearch,
): Promise<Part | null> {
  const { count, example } = need;
  if (doubts.length > 1)
    return { state: 'in-doubt', rows: await doubtRows(context, doubts), isAll: doubts.length === count };
  if (example.code === 'archived-by-hand') {
    const first = cases.slice(0, MOST_IN_PLACE);
    return count === 1
      ? null
      : { state: 'held', rows: await archivedChoice(context, first), isAll: first.length === count };
  }
  const listings = listingsIn(cases);
  if (listing !== null || listings.size === 0) return null;
  const rows = await unlinkedRows(context, cases, sought, { path: './', fields: { account: context.account } });
  return { state: 'held', rows, isAll: listings.size <= MOST_IN_PLACE && cases.length >= count };
}

/** Archived listings to tick, and what can be done with those that are ticked. */
export async function archivedChoice(context: PageContext, cases: readonly HeldCase[]): Promise<Content> {
  const rows = cases.map(async (one) => {
    const { listing, sku } = one.cause.params as { readonly listing: number; readonly sku: string };
    const name = (await entityLabel(context.opened.store, one)) || sku;
    return html`<li><label><input type="checkbox" name="listing" value="${listing}"> ${cut(name)}</label> <small>${entityLink(one, sku)}</small></li>`;
  });
  return action(
    context,
    'archived',
    { account: context.account },
    html`<ul class="plain ticks">${await Promise.all(rows)}</ul><button name="said" value="asked-back">Bring the chosen back…</button><button class="second" name="said" value="left">Leave the chosen archived</button>`,
  );
}

/** Each listing without a link that the cases wait for, with a search for its product; null: they wait for none. */
export async function unlinkedRows(
  context: PageContext,
  cases: readonly HeldCase[],
  sought: LinkSearch,
  place: Pick<Searching, 'path' | 'fields'>,
): Promise<Content> {
  const listings = [...listingsIn(cases)].slice(0, MOST_IN_PLACE);
  const rows = listings.map(async ([listing, keys]) => {
    const part = await linkingInPlace(context, listing, sought, place);
    if (part === null) return null;
    const stored = await context.opened.store.products.get(context.account, listing);
    const known = cases.filter(({ key }) => keys.includes(key));
    const [first] = known;
    const orders =
      first !== undefined &&
      html`${await entityNamed(context.opened.store, first)}${keys.length > 1 && ` and ${counted(keys.length - 1, 'more')}`}`;
    return html`<li><div class="one"><span><b>${cut(stored?.name ?? stored?.sku ?? `listing ${listing}`)}</b> <small>${orders}</small></span>${part.search}</div>${part.found}</li>`;
  });
  const shown = (await Promise.all(rows)).filter((row) => row !== null);
  return shown.length === 0 ? null : html`<ul class="plain">${shown}</ul>`;
}

async function doubtRows(context: PageContext, doubts: readonly Intent[]): Promise<Html> {
  const rows = doubts.map(async (doubt) => {
    const target = targetOf(doubt);
    const beside = await entityLabel(context.opened.store, target);
    const why = doubt.evidence === null ? null : sentenceInShop(shownCause(doubt.evidence), { product: null });
    return html`<li><div class="one"><span>${await entityNamed(context.opened.store, target)} ${cut(beside)} <small>${why}, ${lasting(doubt.sentAtMs, context.nowMs)}</small></span><div class="do">${doubtActs(context, doubt)}</div></div></li>`;
  });
  return html`<ul class="plain">${await Promise.all(rows)}</ul>`;
}
