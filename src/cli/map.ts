import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { isKind, KINDS, type MappingKind } from '../use/mapping/ids.ts';
import { importFile } from './map/import.ts';
import { link, unlink } from './map/link.ts';
import { exportMappings, listMappings } from './map/list.ts';
import { suggest } from './map/suggest.ts';
import { showUnlinked } from './map/unlinked.ts';
import type { Cli } from './output.ts';
import { onRecords, onStore } from './with-store.ts';

const ACCOUNT = ['--account <name>', 'the account; not needed if there is only one'] as const;

export const help = `
Links are found by external id, SKU or order number. These verbs are for entities that cannot be found so.

Examples:
  stockbridge map list product
  stockbridge map link product 4711 --sku SB-0001
  stockbridge map link customer 815 C-1003
  stockbridge map suggest --csv > pairs.csv
  stockbridge map unlink order --marketplace 9f1c0a52-7a51-4c1e-b0a4-5d0c6f1f2a11
  stockbridge map export --kind product > links.csv
  stockbridge map import links.csv --dry-run`;

/** `map list|unlinked|suggest|link|unlink|import|export`: links between entities of both sides. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('List what is linked')
    .argument('[kind]', 'product, order, customer, payment or batch; all of them without it', parseKind)
    .option('--account <name>', 'of this account only')
    .option('--json', 'print JSON')
    .action(onRecords(cli, listMappings));

  command
    .command('unlinked')
    .description('Show the listings and ERP products that are not linked')
    .option('--account <name>', 'of this account only')
    .option('--json', 'print JSON')
    .action(onRecords(cli, showUnlinked));

  command
    .command('suggest')
    .description('Propose similar listings and ERP products to link, with the reason')
    .option('--take <pair...>', 'link these: LISTING=ERP_ID')
    .option(
      '--refuse <pair...>',
      'never propose this pair again: LISTING=ERP_ID, or LISTING alone if it is no ERP product at all',
    )
    .option('--csv', 'print the clear ones as a file for "map import"')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(onStore(cli, suggest));

  command
    .command('link')
    .description('Link two entities; work that was held for the missing link continues')
    .argument('<kind>', 'product, order, customer, payment or batch', parseKind)
    .argument('<marketplace-id>', 'id of the listing, customer or payment, or number of the order')
    .argument('[erp-id]', 'its id in the ERP')
    .option('--sku <sku>', "the ERP product's SKU instead of its id")
    .option('--replace', 'replace existing links of the two')
    .option('--yes', 'link despite a warning, such as a product that is not sold, or another SKU')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(onStore(cli, link, 'create'));

  command
    .command('unlink')
    .description('Remove a link; both entities are then processed again')
    .argument('<kind>', 'product, order, customer, payment or batch', parseKind)
    .argument('[erp-id]', 'its id in the ERP')
    .option('--marketplace <id>', 'its id on the marketplace instead')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(onStore(cli, unlink));

  defineFiles(command, cli);
}

function defineFiles(command: Command, cli: Cli): void {
  command
    .command('export')
    .description('Print every link as CSV')
    .option('--kind <kind>', 'product, order, customer, payment or batch', parseKind)
    .option('--account <name>', 'of this account only')
    .option('--json', 'print JSON instead')
    .action(onRecords(cli, exportMappings));

  command
    .command('import')
    .description('Link all lines of a CSV file in the format of "map export"; an invalid line stops the whole import')
    .argument('<file>', 'CSV; its first line names the columns: kind, marketplace_id, erp_id and maybe account')
    .option('--dry-run', 'check everything, change nothing')
    .option('--yes', 'link despite warnings, as with "map link"')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(onStore(cli, importFile, 'create'));
}

/** @throws InvalidArgumentError */
function parseKind(text: string): MappingKind {
  if (isKind(text)) return text;
  throw new InvalidArgumentError(`"${text}" is no kind${didYouMean(text, KINDS)}; kinds are ${KINDS.join(', ')}.`);
}
