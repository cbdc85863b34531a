import type { Command } from 'commander';
import { accountFor } from '../use/accounts.ts';
import type { Opened } from '../use/open.ts';
import { exportCustomer, forgetCustomer } from '../use/personal.ts';
import { type Cli, note, print, printJson } from './output.ts';
import { onStore, type VerbOptions } from './with-store.ts';

export const help = `
A customer is named by its id on the marketplace or in the ERP, or a beginning of one. The daemon may run meanwhile. Nothing is
written to either side: erase the customer there as well. Data that a side still shows of the customer is not taken in again,
unless the customer orders again.

Examples:
  stockbridge customer export 1 > customer-1.json
  stockbridge customer forget 1`;

/** `customer export|forget`: the data stored about a person. */
export function define(command: Command, cli: Cli): void {
  const verb = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .argument('<customer>', 'its id on the marketplace or in the ERP')
      .option('--account <name>', 'the account; not needed if there is only one');
  verb('export', 'Print all stored data of a customer as JSON').action(onStore(cli, printCustomer));
  verb('forget', 'Erase all data of a customer except the ids and amounts of its orders')
    .option('--json', 'print JSON')
    .action(onStore(cli, forget));
}

async function printCustomer(cli: Cli, opened: Opened, id: string, { account }: VerbOptions): Promise<void> {
  printJson(cli, await exportCustomer(opened, accountFor(opened.config, account).name, id));
}

async function forget(cli: Cli, opened: Opened, id: string, { account, json }: VerbOptions): Promise<void> {
  const forgotten = await forgetCustomer(opened, accountFor(opened.config, account).name, id);
  if (json) return printJson(cli, forgotten);
  const rows = Object.values(forgotten.rows).reduce((sum, count) => sum + count, 0);
  print(cli, `customer ${id} is erased: ${rows} rows were changed or deleted`);
  note(cli, `${forgotten.orders} of its orders are kept for the accounts, without personal data.`);
  note(cli, 'Older backups still contain the data. So do the marketplace and the ERP, unless you erase it there.');
}
