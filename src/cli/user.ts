import type { Command } from 'commander';
import { Option } from 'commander';
import { UsageError } from '../use/faults.ts';
import { linkFor } from '../use/log-in-links.ts';
import type { Opened } from '../use/open.ts';
import { hashPassword, passwordProblem, requireUserName } from '../use/users.ts';
import { type Cli, note, print } from './output.ts';
import { onStore } from './with-store.ts';

export const help = `
"add" reads the password from the terminal, which does not show it, or from standard input. Nothing is changed: put the line into the
configuration, and let the daemon read it again (SIGHUP). Where the line has no password, the person sets it by the link that "link"
prints. The link works once, within an hour. It also helps somebody who has forgotten a password.

Examples:
  stockbridge user add maria --role operator
  stockbridge user link maria
  pwgen 20 1 | stockbridge user add maria`;

interface AddOptions {
  readonly role: 'viewer' | 'operator';
}

/** `user add NAME` prints a user's configuration line, `user link NAME` a login link. */
export function define(command: Command, cli: Cli): void {
  command
    .command('add')
    .description('Print the line of admin.users for somebody who logs in to the screen')
    .argument('<name>', 'the name that is typed, and that the audit log shows')
    .addOption(
      new Option('--role <role>', 'viewer looks, operator acts').choices(['viewer', 'operator']).default('viewer'),
    )
    .action((name: string, options: AddOptions) => add(cli, name, options));

  command
    .command('link')
    .description('Print a link by which somebody sets the password of the screen, once and within an hour')
    .argument('<name>', 'the name, as admin.users has it')
    .action(onStore(cli, link, 'create'));
}

async function add(cli: Cli, name: string, { role }: AddOptions): Promise<void> {
  requireUserName(name);
  const password = await readPassword(cli);
  const problem = passwordProblem(password);
  if (problem !== null) throw new UsageError(problem);
  print(cli, `- { name: ${JSON.stringify(name)}, role: ${role}, password: "${await hashPassword(password)}" }`);
  note(cli, 'Put this line under admin.users in the configuration.');
}

async function link(cli: Cli, opened: Opened, name: string): Promise<void> {
  const { address, setsPassword } = await linkFor(opened, name, Date.now());
  print(cli, address);
  const purpose = setsPassword ? `${name} sets the password by it` : `it lets ${name} in`;
  note(cli, `It works once, within an hour, while the daemon runs: ${purpose}.`);
}

const MOST = 4_096;
const CTRL_C = '\u0003';
/** The Enter key, or Ctrl-D. */
const ENDS = ['\r', '\n', '\u0004'];

/** The first line of standard input, hidden on a terminal. */
async function readPassword(cli: Cli): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) cli.stderr.write('Password: ');
  if (stdin.isTTY) stdin.setRawMode(true);
  try {
    let text = '';
    for await (const chunk of stdin) {
      text = typed(text + String(chunk));
      if (text.includes(CTRL_C)) throw new UsageError('stopped: nothing was printed');
      if (ENDS.some((end) => text.includes(end)) || text.length > MOST) break;
    }
    return ENDS.reduce((left, end) => left.split(end)[0] ?? '', text);
  } finally {
    if (stdin.isTTY) {
      stdin.setRawMode(false);
      cli.stderr.write('\n');
    }
  }
}

/** Applies the backspaces. */
function typed(text: string): string {
  let left = text;
  while (/[^\u007f]?\u007f/u.test(left)) left = left.replace(/[^\u007f]?\u007f/u, '');
  return left;
}
