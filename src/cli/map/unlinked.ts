import { accountNames } from '../../use/accounts.ts';
import { shownListing, unlinkedListings, unlinkedProducts } from '../../use/mapping/unlinked.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, printJson, streamLines } from '../output.ts';
import { table } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';

export async function showUnlinked(cli: Cli, { config, store }: Opened, { account, json }: VerbOptions): Promise<void> {
  const listings: string[][] = [];
  const products: string[][] = [];
  const found: { account: string; listings: object[]; products: object[] }[] = [];
  for (const name of accountNames(config, account)) {
    const of = { account: name, listings: [] as object[], products: [] as object[] };
    for await (const listing of unlinkedListings(store, name)) {
      const { id, sku, name: title, figures, isApart } = listing;
      of.listings.push(shownListing(listing));
      const offered = figures.available === null ? '' : figures.available.toFixed();
      listings.push([String(id), sku ?? '-', title ?? '', offered, isApart ? 'no product of the ERP' : '', name]);
    }
    for await (const { id, sku, name: title } of unlinkedProducts(store, name)) {
      of.products.push({ id, sku, name: title });
      products.push([id, sku, title, name]);
    }
    found.push(of);
  }
  if (json) return printJson(cli, found);
  const several = config.accounts.length > 1;
  const shown = (rows: string[][]) => table(several ? rows : rows.map((row) => row.slice(0, -1)));
  if (listings.length + products.length === 0) return note(cli, 'Everything on both sides is linked.');
  await streamLines(cli, [
    `${listings.length} on sale on the marketplace, not linked`,
    ...(listings.length === 0 ? [] : shown([['LISTING', 'SKU', 'NAME', 'AVAILABLE', 'SAID', 'ACCOUNT'], ...listings])),
    '',
    `${products.length} sold in the ERP, without a listing`,
    ...(products.length === 0 ? [] : shown([['ERP ID', 'SKU', 'NAME', 'ACCOUNT'], ...products])),
  ]);
  const names = new Set(found.map(({ account: name }) => name));
  const waiting = (await store.work.counts()).filter((row) => names.has(row.account) && row.state === 'pending');
  if (waiting.some(({ flow }) => flow === 'product'))
    note(cli, 'Some products have not been processed yet. A product and a listing with the same SKU are then linked.');
  if (listings.length > 0) note(cli, 'To see similar pairs: stockbridge map suggest');
}
