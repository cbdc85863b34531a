import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config/problem.ts';
import { errorCode } from '../domain/error-code.ts';
import { textRedactor } from '../logging/redaction.ts';
import { UsageError } from '../use/faults.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit.ts';
import { type Cli, note, paint } from './output.ts';

interface Verb {
  readonly summary: string;
  /** Loaded only when the verb is used, so it may import anything. */
  readonly load: () => Promise<{
    /** Adds the verb's arguments, options and action. `defineVerb` does so for another verb. */
    define: (command: Command, cli: Cli, defineVerb: (verb: Command) => Promise<void>) => void;
    /** The help after the options, with examples. */
    help: string;
  }>;
}

/** In the order of the help. A new verb is a file with `define` and a line here. */
const VERBS: Readonly<Record<string, Verb>> = {
  init: {
    summary: 'Ask for the settings of a new configuration, test them, and write the file',
    load: () => import('./init.ts'),
  },
  run: { summary: 'Run the daemon', load: () => import('./run.ts') },
  sync: { summary: 'Synchronize both sides once, then end', load: () => import('./sync.ts') },
  plan: { summary: 'Show every write that a sync would make, and why; write nothing', load: () => import('./plan.ts') },
  status: { summary: 'Show how current each list is, and what needs you', load: () => import('./status.ts') },
  doctor: {
    summary: 'Try every connection, credential and permission; write nothing',
    load: () => import('./doctor.ts'),
  },
  erp: {
    summary: 'Connect an ERP step by step: draft, try and check the connection, show its abilities',
    load: () => import('./erp.ts'),
  },
  api: { summary: 'Call any operation of the marketplace, within its rate limit', load: () => import('./api.ts') },
  demo: { summary: 'Run a demo with invented data on this machine', load: () => import('./demo.ts') },
  sandbox: { summary: 'Run a simulated marketplace and ERP for tests', load: () => import('./sandbox.ts') },
  jobs: {
    summary: 'List, show, replay or discard failed jobs; decide about writes with an unknown result',
    load: () => import('./jobs.ts'),
  },
  explain: {
    summary: 'Explain the state of a SKU, an order, a customer or a payment, now or at any time',
    load: () => import('./explain.ts'),
  },
  journal: {
    summary: 'Show every write with its time, its old and new value, and its reason',
    load: () => import('./journal.ts'),
  },
  events: {
    summary: 'Show received webhooks, process one again, or send a test webhook',
    load: () => import('./events.ts'),
  },
  brakes: {
    summary: 'Show the writes that a brake holds, and approve or drop them',
    load: () => import('./brakes.ts'),
  },
  map: { summary: 'Show and change the links between both sides', load: () => import('./map.ts') },
  customer: { summary: 'Export or erase the personal data of a customer', load: () => import('./customer.ts') },
  user: {
    summary: 'Add a user of the screen, or create the link that sets a password',
    load: () => import('./user.ts'),
  },
  pause: { summary: 'Stop the writes of one flow or of all; reading continues', load: () => import('./pause.ts') },
  resume: { summary: 'Go on writing', load: async () => (await import('./pause.ts')).resume },
  audit: {
    summary: 'Show the audit log of operators, and verify that it is complete and unchanged',
    load: () => import('./audit.ts'),
  },
  notify: { summary: 'Send a test message to each notification channel', load: () => import('./notify.ts') },
  config: { summary: 'Check or show the configuration, or print its schema', load: () => import('./config.ts') },
  migrate: { summary: 'Migrate the database to the schema of this version', load: () => import('./migrate.ts') },
  backup: { summary: 'Copy the database into a file, while the daemon runs', load: () => import('./backup.ts') },
  restore: { summary: 'Replace the database by a backup', load: () => import('./restore.ts') },
  rebuild: {
    summary: 'Link the entities of both sides again after the database was lost',
    load: () => import('./rebuild.ts'),
  },
  store: {
    summary: 'Copy all data from SQLite to PostgreSQL, or back',
    load: () => import('./store.ts'),
  },
  verify: {
    summary: 'Check that a data folder or a backup is complete and readable',
    load: () => import('./verify.ts'),
  },
  guide: { summary: 'Print a page of the manual', load: () => import('./guide.ts') },
  completion: {
    summary: 'Print a completion script for your shell',
    load: () => import('./completion.ts'),
  },
};

/** Runs the program with these arguments. Never throws: an error becomes a message and an exit code. */
export async function runProgram(args: readonly string[], cli: Cli): Promise<ExitCode> {
  const program = createProgram(cli);
  try {
    await program.parseAsync(asHelpOption(args), { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Commander has printed its error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    report(error, program.opts<{ debug?: true }>().debug === true, cli);
    return exitCodeOf(error);
  }
}

function createProgram(cli: Cli): Command {
  const program = new Command('stockbridge')
    .description(
      'Synchronizes an ERP with a wholesale marketplace: products and stock out, orders in, fulfilment back.',
    )
    .option('--config <file>', 'the configuration file', 'config/stockbridge.yaml')
    .option('--debug', 'show where in the program an error occurred')
    .version(manifest.version)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      writeErr: (text) => cli.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'stockbridge: ')),
    })
    .showHelpAfterError('(stockbridge --help tells what can be typed)')
    .exitOverride()
    .addHelpText('after', '\nThe help of one verb: stockbridge VERB --help');

  for (const [name, { summary }] of Object.entries(VERBS)) {
    program.command(name).description(summary).helpCommand(false);
  }
  const defineVerb = async (command: Command): Promise<void> => {
    const verb = await VERBS[command.name()]?.load();
    verb?.define(command, cli, defineVerb);
    if (verb !== undefined) command.addHelpText('after', verb.help);
  };
  program.hook('preSubcommand', (_program, command) => defineVerb(command));
  return program;
}

/** Makes `help VERB` into `VERB --help`, since help needs the verb's file. */
function asHelpOption(args: readonly string[]): string[] {
  const [first, verb, ...rest] = args;
  if (first !== 'help') return [...args];
  // An unknown verb is refused rather than answered with the general help.
  return verb === undefined ? ['--help'] : Object.hasOwn(VERBS, verb) ? [verb, ...rest, '--help'] : [verb];
}

function report(error: unknown, debug: boolean, cli: Cli): void {
  const redact = textRedactor(cli.secrets);
  const prefix = paint(cli, cli.stderr, 'red', 'stockbridge:');
  // A configuration's errors begin with their location, for editors and terminals.
  noteLines(cli, redact(error instanceof ConfigError ? error.message : `${prefix} ${messageOf(error)}`));
  if (error instanceof UsageError) note(cli, '(stockbridge --help tells what can be typed)');
  if (debug) noteLines(cli, redact(inspect(error)));
}

function noteLines(cli: Cli, text: string): void {
  for (const line of text.split('\n')) note(cli, line);
}

/** A connection that failed on every address has a code but no message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (errorCode(error) ?? error.name);
}
