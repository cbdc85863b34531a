import { type Command, Option } from 'commander';
import type { StrategyLetter } from '../demo/compare.ts';
import { runLive } from '../demo/live.ts';
import { playOnce } from '../demo/once.ts';
import type { World } from '../demo/world.ts';
import { UsageError } from '../use/faults.ts';
import { createTell, printAddresses, printResult, printSummary } from './demo-screen.ts';
import { EXIT } from './exit.ts';
import { wholeNumber } from './options.ts';
import { type Cli, print } from './output.ts';
import { stopOnSignals } from './signals.ts';

interface DemoOptions {
  readonly once?: true;
  readonly seed: number;
  readonly strategy: StrategyLetter;
  readonly ordersPerMinute?: number;
}

const ORDERS_PER_MINUTE = 12;
const MAX_ORDERS_PER_MINUTE = 6_000;

export const help = `
A marketplace, an ERP and the daemon between them run on this machine with made-up data. Nothing else is contacted, and
nothing is left behind. Without --once it runs until Ctrl-C.

Examples:
  stockbridge demo
  stockbridge demo --orders-per-minute 40 --strategy c
  stockbridge demo --once --seed 7`;

/** `demo`: both sides and the daemon on this machine, with sample data. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--once', 'run a fixed scenario, compare both sides, and exit with 0 if they agree, with 1 if not')
    .option('--seed <number>', 'the same seed makes the same data and the same choices', wholeNumber(0, 2 ** 31), 1)
    .addOption(new Option('--strategy <letter>', 'the inventory strategy').choices(['a', 'b', 'c']).default('b'))
    .option(
      '--orders-per-minute <number>',
      `how many orders buyers place (default: ${ORDERS_PER_MINUTE})`,
      wholeNumber(1, MAX_ORDERS_PER_MINUTE),
    )
    .action(async (options: DemoOptions) => {
      if (options.once && options.ordersPerMinute !== undefined) {
        throw new UsageError('--once plays a fixed story, so it takes no --orders-per-minute');
      }
      await runDemo(options, cli);
    });
}

async function runDemo({ once, strategy, seed, ordersPerMinute = ORDERS_PER_MINUTE }: DemoOptions, cli: Cli) {
  const { signal, off } = stopOnSignals();
  // The terminal or the reader of the output closed.
  const end = () => process.kill(process.pid, 'SIGTERM');
  process.once('SIGHUP', end);
  cli.stdout.once('error', end);
  const tell = createTell(cli);
  const onOpen = (world: World) => printAddresses(cli, world);
  print(cli, `An invented brand whose marketplace and ERP are synchronized (strategy ${strategy}).`);
  print(cli, 'Starting ...');
  try {
    if (once) {
      const result = await playOnce({ strategy, seed, tell, signal, onOpen });
      printResult(cli, result);
      if (result.problems.length > 0) cli.exitCode = EXIT.failed;
    } else {
      await runLive({
        strategy,
        seed,
        ordersPerMinute,
        tell,
        signal,
        onOpen,
        onSummary: (now) => printSummary(cli, now),
      });
      print(cli, 'Ended. Nothing is left behind.');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    print(cli, 'Stopped before the end of the scenario. Nothing is left behind.');
    cli.exitCode = EXIT.failed;
  } finally {
    process.off('SIGHUP', end);
    cli.stdout.off('error', end);
    off();
  }
}
