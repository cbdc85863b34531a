import { type Likeness, likenessOf, MOST_ALIKE } from '../../domain/alike.ts';
import type { AlikeProduct, ShownListing } from '../observe.ts';
import { findFact } from './cursors.ts';
import { apartFact } from './listing-signs.ts';
import type { ReadAt } from './part.ts';
import { unlinkedReads } from './unlinked.ts';

const PAGE = 500;

/**
 * Products of the ERP on sale, without a link, that may be this listing. A product that an operator told apart is left out. Few
 * products are without a link, so each of them is compared.
 */
export function alikeProducts(at: ReadAt, account: string, { stored, raw }: ShownListing): AlikeProduct[] {
  const { id: listingId, sku, name } = stored;
  const isApart = (erpId: string) =>
    [apartFact(listingId, erpId), apartFact(listingId, null)].some(
      (fact) => findFact(at.db, { account, name: fact }) !== undefined,
    );
  const found: AlikeProduct[] = [];
  let after: string | null = '';
  while (after !== null && found.length < MOST_ALIKE) {
    const page = unlinkedReads.products(at, account, after, PAGE);
    for (const product of page) {
      const by: Likeness[] = likenessOf(
        { sku, name: name ?? null, body: raw ?? '{}' },
        { ...product, body: product.attributesText },
      );
      if (by.length > 0 && !isApart(product.id)) found.push({ id: product.id, sku: product.sku, by });
    }
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }
  return found.slice(0, MOST_ALIKE);
}
