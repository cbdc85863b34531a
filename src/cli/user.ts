import type { Command } from 'commander';
import { Option } from 'commander';
import { UsageError } from '../use/faults.ts';
import { hashPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../use/users.ts';
import { type Cli, note, print } from './output.ts';

export const help = `
The password is read from the terminal, which does not show it, or from standard input. Nothing is changed: put the line into the
configuration, and let the daemon read it again (SIGHUP).

Examples:
  stockbridge user add maria --role operator
  pwgen 20 1 | stockbridge user add maria`;

interface AddOptions {
  readonly role: 'viewer' | 'operator';
}

/** `user add NAME`: prints the line of the configuration for somebody who logs in to the screen. */
export function define(command: Command, cli: Cli): void {
  command
    .command('add')
    .description('Print the line of admin.users for somebody who logs in to the screen')
    .argument('<name>', 'the name that is typed, and that the audit log shows')
    .addOption(
      new Option('--role <role>', 'viewer looks, operator acts').choices(['viewer', 'operator']).default('viewer'),
    )
    .action((name: string, options: AddOptions) => add(cli, name, options));
}

async function add(cli: Cli, name: string, { role }: AddOptions): Promise<void> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name)) {
    throw new UsageError(`"${name}" is no name: up to 64 letters, digits and . _ @ -`);
  }
  const password = await readPassword(cli);
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw new UsageError(`the password needs ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`);
  }
  print(cli, `- { name: ${JSON.stringify(name)}, role: ${role}, password: "${await hashPassword(password)}" }`);
  note(cli, 'Put this line under admin.users in the configuration.');
}

const MOST = 4_096;
const CTRL_C = '\u0003';
/** The characters that end the line: those of the Enter key, or Ctrl-D. */
const ENDS = ['\r', '\n', '\u0004'];

/** The first line of standard input. On a terminal, the typed text is not shown. */
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

/** The text after each press of the backspace key has taken a character back. */
function typed(text: string): string {
  let left = text;
  while (/[^\u007f]?\u007f/u.test(left)) left = left.replace(/[^\u007f]?\u007f/u, '');
  return left;
}
