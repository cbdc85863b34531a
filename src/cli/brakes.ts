import type { Command } from 'commander';
import { approvePlan, dropPlan } from './brakes/decide.ts';
import { listPlans } from './brakes/list.ts';
import type { Cli } from './output.ts';
import { withStore } from './with-store.ts';

/** `brakes list|approve|drop`: what a brake holds, until an operator decides. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('Show the plans that wait, each with what exactly would be written')
    .option('--account <name>', 'of this account only')
    .option('--all', 'every item, also of long plans')
    .option('--json', 'print JSON')
    .action((options: Parameters<typeof listPlans>[2], list: Command) =>
      withStore(list, cli, 'refuse', (opened) => listPlans(cli, opened, options)),
    );

  command
    .command('approve')
    .description('Let what a plan holds go ahead')
    .argument('<plan>', 'its hash, or its number for what it holds at this moment')
    .option('--except <item...>', 'but not these: their numbers, or FLOW/KEY')
    .option('--json', 'print JSON')
    .action((plan: string, options: Parameters<typeof approvePlan>[3], approve: Command) =>
      withStore(approve, cli, 'refuse', (opened) => approvePlan(cli, opened, plan, options)),
    );

  command
    .command('drop')
    .description('Refuse what a plan holds')
    .argument('<plan>', 'its hash, or its number for what it holds at this moment')
    .option('--json', 'print JSON')
    .action((plan: string, options: { json?: true }, drop: Command) =>
      withStore(drop, cli, 'refuse', (opened) => dropPlan(cli, opened, plan, options)),
    );

  command.addHelpText(
    'after',
    `
An approval is bound to the hash: what came to the plan after it was shown is not in it. Each write passes once, and only
as it was shown. What is refused, with --except or by drop, is held until it is another write.

Examples:
  stockbridge brakes list
  stockbridge brakes approve 5f3a9c0d1b2e4f67
  stockbridge brakes approve 5f3a9c0d1b2e4f67 --except 3 product/P-000007
  stockbridge brakes drop 2`,
  );
}
