import { LIKENESS } from '../../domain/causes/products.ts';
import { accountFor, accountsFor } from '../../use/accounts.ts';
import { UsageError } from '../../use/faults.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import { parsePair, refusePairs, type Suggestion, shownSuggestion, suggestPairs } from '../../use/mapping/suggest.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, print, printJson, streamExactly, streamLines } from '../output.ts';
import { table } from '../table.ts';
import { noteWorker, type VerbOptions } from '../with-store.ts';
import { linkOne } from './link.ts';

interface SuggestOptions extends VerbOptions {
  readonly take?: readonly string[];
  readonly refuse?: readonly string[];
  readonly csv?: true;
}

/** Proposes similar pairs, or accepts or refuses some. */
export async function suggest(cli: Cli, opened: Opened, options: SuggestOptions): Promise<void> {
  const { take = [], refuse = [], account, json, csv } = options;
  if (take.length + refuse.length > 0) return decide(cli, opened, options);
  const found: Suggestion[] = [];
  for (const { name } of accountsFor(opened.config, account)) found.push(...(await suggestPairs(opened.store, name)));
  if (json) return printJson(cli, found.map(shownSuggestion));
  if (csv) return printCsv(cli, found);
  if (found.length === 0)
    return note(cli, 'No listing that is not linked is similar to an ERP product without a listing.');
  const head = ['LISTING', 'SKU THERE', 'ERP ID', 'SKU HERE', 'NAME', 'WHY'];
  await streamLines(cli, table([head, ...found.map(cellsOf)]));
  const [first] = found;
  note(
    cli,
    `To link a pair: stockbridge map suggest --take ${first?.listing.id}=${first?.product.id}. If they are different products, use --refuse.`,
  );
  note(cli, 'All that are clear as a file for "map import": stockbridge map suggest --csv');
}

async function decide(cli: Cli, opened: Opened, { take = [], refuse = [], account: of, json }: SuggestOptions) {
  const account = accountFor(opened.config, of).name;
  const [taken, refused] = [take.map(parsePair), refuse.map(parsePair)];
  for (const { listingId, erpId } of taken) {
    if (erpId === null) throw new UsageError(`name the product that listing ${listingId} is: ${listingId}=ERP_ID`);
  }
  for (const { listingId, erpId } of taken) {
    const ids = { marketplaceId: String(listingId), erpId: erpId ?? undefined };
    const linking = { account, kind: 'product', ...ids, sku: undefined, replace: false } as const;
    await linkOne(cli, opened, linking, { json });
  }
  await refusePairs(opened, account, refused);
  for (const { listingId, erpId } of refused) {
    print(
      cli,
      `noted: listing ${listingId} is ${erpId === null ? 'no product of the ERP' : `not ERP product ${erpId}`}`,
    );
  }
  noteWorker(cli, opened.config);
}

function cellsOf({ listing, product, by, isOnly }: Suggestion): string[] {
  const why = by.map((sign) => LIKENESS[sign]).join(', ');
  const also = isOnly ? '' : '; not the only one';
  return [String(listing.id), listing.sku ?? '-', product.id, product.sku, product.name, why + also];
}

/** As `map import` reads them, with more columns for a person. */
async function printCsv(cli: Cli, found: readonly Suggestion[]): Promise<void> {
  const head = ['account', 'kind', 'marketplace_id', 'erp_id', 'how', 'listing_sku', 'erp_sku', 'name', 'why'];
  if (!(await streamExactly(cli, csvLine(head)))) return;
  for (const { account, listing, product, by } of found.filter(({ isOnly }) => isOnly)) {
    const why = by.map((sign) => LIKENESS[sign]).join('; ');
    const cells = [account, 'product', String(listing.id), product.id, 'suggested', listing.sku ?? '', product.sku];
    if (!(await streamExactly(cli, csvLine([...cells, product.name, why])))) return;
  }
  const left = found.filter(({ isOnly }) => !isOnly).length;
  if (left > 0) note(cli, `${left} more pairs are not clear and were not linked. See them: stockbridge map suggest`);
}
