import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { textRedactor } from '../redaction.ts';
import { accountFor } from '../use/accounts.ts';
import { ALL_FLOWS, FLOW_TEXTS, PAUSABLE, resume } from '../use/pauses.ts';
import { EXIT } from './exit.ts';
import { type Cli, note, print, printJson } from './output.ts';
import { noteWhoLooks, withStore } from './with-store.ts';

interface PauseOptions {
  readonly account?: string;
  readonly reason?: string;
  readonly json?: true;
}

const FLOW_ARGUMENT = `${PAUSABLE.slice(0, -1).join(', ')}, or all`;

/** @throws InvalidArgumentError for anything but a flow or `all` */
function pausableFlow(text: string): string {
  if (PAUSABLE.includes(text)) return text;
  const hint = didYouMean(text, PAUSABLE) || '.';
  throw new InvalidArgumentError(`"${text}" is no flow${hint} Flows are ${PAUSABLE.join(', ')}.`);
}

function flowsText(): string {
  const width = Math.max(...FLOW_TEXTS.map(([flow]) => flow.length));
  return FLOW_TEXTS.map(([flow, about]) => `  ${flow.padEnd(width)}  ${about}`).join('\n');
}

/** `pause`: nothing of a flow is written until it is resumed; reading goes on. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[flow]', FLOW_ARGUMENT, pausableFlow, ALL_FLOWS)
    .option('--account <name>', 'the account; may be left out when there is one')
    .option('--reason <text>', 'why, for whoever asks')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A running daemon stops writing before its next write. It goes on reading, and makes the waiting writes when resumed.
${flowsText()}

Examples:
  stockbridge pause stock --reason "stocktaking until 6 pm"
  stockbridge pause --account main`,
    )
    .action((flow: string, options: PauseOptions, pause: Command) =>
      withStore(pause, cli, 'create', async ({ config, store, by }) => {
        const { name } = accountFor(config, options.account);
        const reason = textRedactor(cli.secrets)(options.reason ?? `by ${by}`);
        await store.pauses.pause(name, flow, reason, by);
        if (options.json) {
          printJson(cli, { account: name, flow, paused: true, reason });
          return;
        }
        print(cli, `${flow === ALL_FLOWS ? 'every flow' : flow} of ${name} is paused: ${reason}`);
        note(cli, `To go on: stockbridge resume ${flow}`);
      }),
    );
}

interface ResumeOptions {
  readonly account?: string;
  readonly json?: true;
}

/** `resume`: takes a pause back. */
export function defineResume(command: Command, cli: Cli): void {
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
