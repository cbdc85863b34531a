import { z } from 'zod';
import type { Explanation } from '../../use/explain/explanation.ts';
import {
  type Alone,
  type Candidate,
  candidatesFor,
  relinkCandidates,
  unlinkedInOrder,
} from '../../use/mapping/candidates.ts';
import { type Content, type Html, html } from './html.ts';
import { action, type PageContext, textField } from './page.ts';
import { table } from './rows.ts';
import { badge, cut, entityLink } from './show.ts';

/** The search of a linking part; `half` names the part, where a page has several. */
export interface LinkSearch {
  readonly half: string;
  readonly search: string;
}

/** The same as fields of a page's address. */
export const linkSearchFields = {
  half: z.string().max(300).default(''),
  search: z.string().trim().max(200).default(''),
};

const SIGNS = { 'sku-spelling': 'SKU', 'sku-part': 'part of the SKU', barcode: 'barcode', name: 'name' } as const;

/** The other half of an entity, by its id: to link it, to link it to another one, or to take the link away. */
export function counterpartPart(
  context: PageContext,
  { kind, marketplaceId, erpId, link, isPast }: Explanation,
): Content {
  const [side, id] = marketplaceId === null ? (['erp', erpId] as const) : (['marketplace', marketplaceId] as const);
  // A product without a link has a search for its other half.
  if (isPast || id === null || (link === null && kind === 'product')) return null;
  const { account } = context;
  const where = side === 'erp' ? 'on the marketplace' : 'in the ERP';
  const half = action(
    context,
    'link-half',
    { account, kind, side, id },
    (refused) =>
      html`${textField(refused, 'other', `${link === null ? 'Id' : 'Id of another one'} ${where}`, true)}<button class="second">Link it</button>`,
  );
  if (half === null) return null;
  if (link?.state !== 'linked') return html`<div class="actions half">${half}</div>`;
  const separate = action(
    context,
    'separate',
    { account, kind, marketplaceId: marketplaceId ?? '' },
    html`<button class="second">Unlink them</button>`,
  );
  return html`<div class="actions half">${half}${separate}</div>`;
}

/** On the page of a listing or a product without a link, or of an order with such listings: a search for the other half of each. */
export async function linkingParts(context: PageContext, told: Explanation, sought: LinkSearch): Promise<Content> {
  if (told.isPast) return null;
  const alone = await aloneIn(context, told);
  const parts = await Promise.all(alone.map((one) => linkingPart(context, told, one, sought)));
  return html`${parts}${await rivalsPart(context, told)}`;
}

/** On the page of a linked product: the other listings of it on sale, to which the link may be moved. */
async function rivalsPart(context: PageContext, { kind, link, marketplaceId, erpId }: Explanation): Promise<Content> {
  if (kind !== 'product' || link?.state !== 'linked' || erpId === null) return null;
  const rows = await relinkCandidates(context.opened.store, context.account, erpId);
  if (rows.length === 0) return null;
  const shown = table(`Other listings of product ${erpId}`, columns(context, { product: erpId }, marketplaceId), rows);
  return html`<section class="card linking"><h2 class="of-card">Other listings that may be it</h2>
<p>Product ${erpId} is linked to listing ${marketplaceId}. Price and stock are kept right there only. To keep another listing instead, move the link to it.</p>${shown}</section>`;
}

async function aloneIn(
  { opened, account }: PageContext,
  { kind, marketplaceId, erpId }: Explanation,
): Promise<Alone[]> {
  if (kind === 'order' && marketplaceId !== null) {
    return (await unlinkedInOrder(opened.store, account, marketplaceId)).map((listing) => ({ listing }));
  }
  if (kind !== 'product' || (marketplaceId === null) === (erpId === null)) return [];
  return marketplaceId === null ? [{ product: erpId ?? '' }] : [{ listing: Number(marketplaceId) }];
}

async function linkingPart(
  context: PageContext,
  { kind, marketplaceId, erpId }: Explanation,
  alone: Alone,
  sought: LinkSearch,
) {
  const half = halfOf(alone);
  const [title, by] =
    'listing' in alone
      ? [`Link listing ${half} to its product in the ERP`, 'SKU, name or id in the ERP']
      : [`Link product ${half} to its listing`, 'SKU or number of the listing'];
  const fields = { account: context.account, key: marketplaceId ?? erpId ?? '', kind };
  const { search, found } = await searchParts(context, alone, sought, { path: 'entity', fields, by });
  return html`<section class="card linking" id="link-${half}"><h2 class="of-card">${title}</h2>
${search}${found}</section>`;
}

/** The same for a listing in a row of another page: the search, and below the row what was found. */
export async function linkingInPlace(
  context: PageContext,
  listing: number,
  sought: LinkSearch,
  place: Pick<Searching, 'path' | 'fields'>,
): Promise<{ readonly search: Html; readonly found: Content } | null> {
  if (context.form === null || context.caller.role !== 'operator') return null;
  const by = 'Your product: SKU, name or id';
  const { search, found, isFound } = await searchParts(context, { listing }, sought, { ...place, by });
  const isTold = isFound || sought.half === String(listing);
  return { search, found: isTold && html`<div class="found linking" id="link-${listing}">${found}</div>` };
}

const halfOf = (alone: Alone) => ('listing' in alone ? String(alone.listing) : alone.product);

export interface Searching {
  /** The page that shows what was found, and the fields that a search on it keeps. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The names by which it is found. */
  readonly by: string;
}

async function searchParts(context: PageContext, alone: Alone, sought: LinkSearch, { path, fields, by }: Searching) {
  const half = halfOf(alone);
  const search = sought.half === half ? sought.search : '';
  const rows = await candidatesFor(context.opened.store, context.account, alone, search);
  const hidden = Object.entries({ ...fields, half }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const caption = 'listing' in alone ? `Products for listing ${half}` : `Listings for product ${half}`;
  return {
    isFound: rows.length > 0,
    search: html`<form class="filters" method="get" action="${path}#link-${half}">${hidden}<label><span class="hidden">${by}</span><input type="search" name="search" value="${search}" maxlength="200" placeholder="${by}"></label><button class="second">Search</button></form>`,
    found: table(caption, columns(context, alone), rows, none(search)),
  };
}

function none(search: string): Html {
  return search === ''
    ? html`<p class="soft">Nothing looks like it. Search for it.</p>`
    : html`<p class="soft">Nothing begins with ${search}.</p>`;
}

/** Moves a link to this listing. It asks first. */
export function moveAct(
  context: PageContext,
  pair: { readonly marketplaceId: string; readonly erpId: string },
  button: Html,
) {
  const half = { account: context.account, kind: 'product', side: 'marketplace', id: pair.marketplaceId };
  return action(context, 'link-half', { ...half, other: pair.erpId }, button);
}

/** @param listing the one to which the product is linked; null: none */
function columns(context: PageContext, alone: Alone, listing: string | null = null) {
  const pairOf = ({ id }: Candidate) =>
    'listing' in alone
      ? { account: context.account, marketplaceId: String(alone.listing), erpId: id }
      : { account: context.account, marketplaceId: id, erpId: alone.product };
  const move = (one: Candidate, text: string) =>
    moveAct(context, pairOf(one), html`<button class="second">${text}</button>`);
  return [
    { head: 'SKU', cell: ({ sku }: Candidate) => sku },
    { head: 'Name', cell: ({ name }: Candidate) => cut(name) },
    { head: 'listing' in alone ? 'ERP id' : 'Listing', cell: ({ id }: Candidate) => id },
    {
      head: 'Alike by',
      cell: ({ by }: Candidate) => (by.length === 0 ? null : badge('good', by.map((sign) => SIGNS[sign]).join(', '))),
    },
    {
      head: 'Do',
      cell: (one: Candidate) => {
        if (one.linkedTo !== null) {
          const other = entityLink({ account: context.account, flow: 'product', key: one.linkedTo }, one.linkedTo);
          return html`<span class="soft">linked to ${other} already</span> ${move(one, 'Move the link here…')}`;
        }
        if (listing !== null) return move(one, 'Move the link to it…');
        const refuse =
          one.by.length > 0 &&
          action(context, 'refuse', pairOf(one), html`<button class="second">Not the same</button>`);
        return html`${action(context, 'link', pairOf(one), html`<button>Link</button>`)} ${refuse}`;
      },
    },
  ];
}
