import type { Command } from 'commander';
import { accountFor } from '../use/accounts.ts';
import { ALL_FLOWS, resume } from '../use/pauses.ts';
import { EXIT } from './exit.ts';
import { type Cli, note, print, printJson } from './output.ts';
import { FLOW_ARGUMENT, pausableFlow } from './pause.ts';
import { noteWhoLooks, withStore } from './with-store.ts';

interface ResumeOptions {
  readonly account?: string;
  readonly json?: true;
}

/** `resume`: takes a pause back. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[flow]', FLOW_ARGUMENT, pausableFlow, ALL_FLOWS)
    .option('--account <name>', 'the account; may be left out when there is one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Entities that the pause held are looked at again at once. "all" lifts every pause of the account. Exits 1 when the flow still
stands because everything is paused.

Examples:
  stockbridge resume stock
  stockbridge resume --account main`,
    )
    .action((flow: string, options: ResumeOptions, resuming: Command) =>
      withStore(resuming, cli, 'refuse', async (opened) => {
        const { name } = accountFor(opened.config, options.account);
        const { lifted, released, stillPaused } = await resume(opened, name, flow);
        if (stillPaused !== null) cli.exitCode = EXIT.failed;
        if (options.json) {
          const flows = lifted.map((pause) => pause.flow);
          printJson(cli, { account: name, resumed: flows, released, still_paused: stillPaused });
          return;
        }
        const what = flow === ALL_FLOWS ? `nothing of ${name} is` : `${flow} of ${name} is not`;
        if (lifted.length === 0 && stillPaused === null) print(cli, `${what} paused: nothing to do`);
        for (const pause of lifted) {
          print(
            cli,
            `${pause.flow === ALL_FLOWS ? 'every flow' : pause.flow} of ${name} goes on (was paused: ${pause.reason})`,
          );
        }
        if (stillPaused !== null) {
          note(cli, `Everything of ${name} is paused (${stillPaused}), ${flow} with it: stockbridge resume all`);
        } else if (released > 0) {
          note(cli, `${released} held because of it ${released === 1 ? 'is' : 'are'} looked at again.`);
          noteWhoLooks(cli, opened.config);
        }
      }),
    );
}
