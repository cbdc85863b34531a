import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { textRedactor } from '../redaction.ts';
import { accountFor } from '../use/accounts.ts';
import { ALL_FLOWS, PAUSABLE } from '../use/pauses.ts';
import { type Cli, note, print, printJson } from './output.ts';
import { withStore } from './with-store.ts';

interface PauseOptions {
  readonly account?: string;
  readonly reason?: string;
  readonly json?: true;
}

export const FLOW_ARGUMENT = `${PAUSABLE.slice(0, -1).join(', ')}, or all`;

/** @throws InvalidArgumentError for anything but a flow or `all` */
export function pausableFlow(text: string): string {
  if (PAUSABLE.includes(text)) return text;
  const hint = didYouMean(text, PAUSABLE) || '.';
  throw new InvalidArgumentError(`"${text}" is no flow${hint} Flows are ${PAUSABLE.join(', ')}.`);
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
  product         listings on the marketplace
  images          their images
  stock           their stock
  facility-stock  their stock by facility and batch
  order-in        orders into the ERP, fulfilment back
  order-out       orders made in the ERP onto the marketplace
  payment-in      payments into the ERP
  payment-out     payments received in the ERP onto the marketplace
  customer-in     customers that the ERP does not know into the ERP
  customer-out    the ERP's customers onto the marketplace

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
