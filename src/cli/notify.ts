import type { Command } from 'commander';
import { type Tried, tryChannels } from '../use/notify.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { type Cli, note, print, printJson } from './output.ts';

export const help = `
The section "notify" of the configuration lists the channels that receive notifications.

Examples:
  stockbridge notify test            a test message to every channel
  stockbridge notify test webhook    to one of them`;

export function define(notify: Command, cli: Cli): void {
  notify
    .command('test')
    .description('Send a test message to the notification channels')
    .argument('[channel]', 'the name of one channel')
    .option('--json', 'print the results as JSON')
    .action(async (channel: string | undefined, { json }: { json?: true }, command: Command) => {
      const { config } = loadFor(command, cli);
      const tried = await tryChannels(config, channel);
      if (tried.some(({ failure }) => failure !== null)) cli.exitCode = EXIT.unavailable;
      if (json) return printJson(cli, { channels: tried });
      for (const one of tried) print(cli, triedText(one));
      if (tried.length === 0) note(cli, 'No channel is configured: see "stockbridge guide notify".');
    });
}

function triedText({ channel, type, failure }: Tried): string {
  return failure === null ? `${channel} (${type}): sent` : `${channel} (${type}): ${failure}`;
}
