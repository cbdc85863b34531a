import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { accountFor } from '../use/accounts.ts';
import type { Opened } from '../use/open.ts';
import { ALL_FLOWS, FLOW_TEXTS, resume as lift, PAUSABLE, pause as stop } from '../use/pauses.ts';
import { EXIT } from './exit.ts';
import { type Cli, note, print, printJson } from './output.ts';
import { table } from './table.ts';
import { noteWorker, onStore, type VerbOptions } from './with-store.ts';

export const help = `
A running daemon stops writing before its next write. It goes on reading, and makes the waiting writes when resumed.
${table(FLOW_TEXTS.map(([flow, about]) => [`  ${flow}`, about])).join('\n')}

Examples:
  stockbridge pause stock --reason "stocktaking until 6 pm"
  stockbridge pause --account main`;

/** `pause`: stops the writes of a flow until it is resumed; reading goes on. */
export function define(command: Command, cli: Cli): void {
  defineFlow(command)
    .option('--reason <text>', 'why, for whoever asks')
    .option('--yes', 'do not ask before all flows are stopped')
    .action(onStore(cli, pauseFlow, 'create'));
}

/** `resume`: ends a pause. */
export const resume = {
  define: (command: Command, cli: Cli): void => {
    defineFlow(command).action(onStore(cli, resumeFlow));
  },
  help: `
Entities that the pause held are looked at again at once. "all" lifts every pause of the account. Exits 1 when the flow still
stands because everything is paused.

Examples:
  stockbridge resume stock
  stockbridge resume --account main`,
};

function defineFlow(command: Command): Command {
  return command
    .argument('[flow]', `${PAUSABLE.slice(0, -1).join(', ')}, or all`, pausableFlow, ALL_FLOWS)
    .option('--account <name>', 'the account; not needed if there is only one')
    .option('--json', 'print JSON');
}

/** @throws InvalidArgumentError for anything but a flow or `all` */
function pausableFlow(text: string): string {
  if (PAUSABLE.includes(text)) return text;
  const hint = didYouMean(text, PAUSABLE) || '.';
  throw new InvalidArgumentError(`"${text}" is no flow${hint} Flows are ${PAUSABLE.join(', ')}.`);
}

async function pauseFlow(
  cli: Cli,
  opened: Opened,
  flow: string,
  { account, reason: why, yes, json }: VerbOptions & { reason?: string; yes?: true },
): Promise<void> {
  const { name } = accountFor(opened.config, account);
  const isAsked = flow === ALL_FLOWS && yes !== true && !json;
  if (
    isAsked &&
    (await cli.confirm?.(`Until it is resumed, nothing is written for ${name}. Stop all flows?`)) === false
  ) {
    return note(cli, 'Nothing was paused.');
  }
  const reason = await stop(opened, name, flow, why);
  if (json) return printJson(cli, { account: name, flow, paused: true, reason });
  print(cli, `${flowText(flow)} of ${name} is paused: ${reason}`);
  note(cli, `To go on: stockbridge resume ${flow}`);
}

async function resumeFlow(cli: Cli, opened: Opened, flow: string, { account, json }: VerbOptions): Promise<void> {
  const { name } = accountFor(opened.config, account);
  const { lifted, released, stillPaused } = await lift(opened, name, flow);
  if (stillPaused !== null) cli.exitCode = EXIT.failed;
  if (json) {
    const resumed = lifted.map((pause) => pause.flow);
    return printJson(cli, { account: name, resumed, released, still_paused: stillPaused });
  }
  const what = flow === ALL_FLOWS ? `nothing of ${name} is` : `${flow} of ${name} is not`;
  if (lifted.length === 0 && stillPaused === null) print(cli, `${what} paused: nothing to do`);
  for (const pause of lifted) print(cli, `${flowText(pause.flow)} of ${name} goes on (was paused: ${pause.reason})`);
  if (stillPaused !== null) {
    note(cli, `Everything of ${name} is paused (${stillPaused}), ${flow} with it: stockbridge resume all`);
  } else if (released > 0) {
    note(cli, `${released} held because of it ${released === 1 ? 'is' : 'are'} looked at again.`);
    noteWorker(cli, opened.config);
  }
}

const flowText = (flow: string): string => (flow === ALL_FLOWS ? 'every flow' : flow);
