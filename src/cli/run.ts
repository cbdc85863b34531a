import { type Command, InvalidArgumentError } from 'commander';
import { type App, startApp } from '../app/app.ts';
import { didYouMean } from '../config/suggest.ts';
import { ROLES, type Role } from '../daemon/roles.ts';
import { notifySystemd } from '../machine/systemd.ts';
import { DAEMON_NAME } from '../settings/scalars.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { loadUsableFor, renewalOf } from './load.ts';
import { addLogOptions, type LogOptions, openLog } from './logs.ts';
import type { Cli } from './output.ts';
import { stopOnSignals } from './signals.ts';
import { noteScreen } from './to-screen.ts';

export const help = `
SIGTERM or Ctrl-C lets work in progress end within shutdown_timeout; a second one ends at once. SIGHUP has
the accounts and the secrets of the configuration read again. The log goes to standard error: readable on a terminal, else as JSON.

Examples:
  stockbridge run
  stockbridge run --log-level debug --log-file stockbridge.log
  stockbridge run --config /etc/stockbridge.yaml
  stockbridge run --role receive            # and in another process, with the same state.dir:
  stockbridge run --role poll,work,admin    # admin tells the health of the process that works`;

/** `run`: the daemon. It logs every write. */
export function define(command: Command, cli: Cli): void {
  addLogOptions(command)
    .option('--role <roles>', `run these parts only, separated by commas: ${ROLES.join(', ')}`, parseRoles)
    .option('--name <name>', 'of this daemon among those that share a PostgreSQL (default: the machine)', parseName)
    .action(async ({ role = ROLES, name, ...logged }: RunOptions, run: Command) => {
      const loaded = loadUsableFor(run, cli);
      const { config } = loaded;
      const log = openLog(cli, logged, config.logLevel);
      await runDaemon(cli, { config, log, renewal: renewalOf(run, cli, loaded), name }, role);
    });
}

interface RunOptions extends LogOptions {
  readonly role?: readonly Role[];
  readonly name?: string;
}

function parseName(text: string): string {
  if (DAEMON_NAME.test(text)) return text;
  throw new InvalidArgumentError('Expected up to 64 letters, digits and . _ -');
}

function parseRoles(text: string): readonly Role[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (ROLES.some((role) => role === name)) continue;
    const hint = didYouMean(name, ROLES) || '.';
    throw new InvalidArgumentError(`"${name}" is no role${hint} Roles are ${ROLES.join(', ')}.`);
  }
  return ROLES.filter((role) => names.includes(role));
}

async function runDaemon(cli: Cli, options: Parameters<typeof startApp>[0], roles: readonly Role[]): Promise<void> {
  const { config, log } = options;
  const { signal, told, off } = stopOnSignals();
  const limitMs = config.shutdownTimeoutMs + CLOSE_LIMIT_MS;
  const late = () =>
    log.error('the daemon did not stop in time and is killed: its next start checks the interrupted writes first');
  signal.addEventListener('abort', () => endAfter(limitMs, EXIT.failed, late), { once: true });
  let app: App | null = null;
  // SIGHUP comes from a closed terminal, or from a person who changed a secret or an account.
  const reread = () => void app?.reread();
  process.on('SIGHUP', reread);
  let telling = () => {};
  for (const one of config.unusable) log.error(one, 'this account is not started: its configuration has an error');
  try {
    app = await startApp(options, roles);
    const accounts = config.accounts.map(({ name }) => name);
    log.info({ roles, accounts, mode: config.mode, webhooks: app.receiverUrl, admin: app.adminUrl }, 'started');
    telling = notifySystemd(cli.env, (error) =>
      log.error({ err: error }, 'cannot notify systemd that this service is alive'),
    );
    if (app.adminUrl !== null) await noteScreen(cli, config, app.adminUrl, app.core.state.store.facts);
    await told;
    log.info(
      { signal: String(signal.reason), limitMs: config.shutdownTimeoutMs },
      'time left for the work in progress',
    );
    await app.stop(config.shutdownTimeoutMs);
    log.info('stopped');
    // All is closed, but the Redis client may still wait for an absent Redis.
    endAfter(LINGER_MS, EXIT.ok, () => {});
  } finally {
    telling();
    process.off('SIGHUP', reread);
    off();
  }
}

/** The longest time for closing connections after the work ended. */
const CLOSE_LIMIT_MS = 10_000;
const LINGER_MS = 500;

/** Ends the process and its children after a time if something hangs. */
function endAfter(ms: number, code: ExitCode, late: () => void): void {
  setTimeout(() => {
    late();
    process.exit(code);
  }, ms).unref();
}
