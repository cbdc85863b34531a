import type { Config } from '../config/resolve.ts';
import type { Log } from '../logging/logging.ts';
import { linkFor } from '../use/log-in-links.ts';
import { withOpened } from '../use/open.ts';
import { screenAddress } from '../use/screen-address.ts';
import { usersNow } from '../use/users.ts';
import { type Cli, note, print, printLines } from './output.ts';

/** The first user's way to the screen. Without a terminal the output may be kept, so it has no login link. */
export async function printFirstLogin(cli: Cli, config: Config, log: Log, name: string): Promise<void> {
  print(cli, `The screen: ${screenAddress(config.admin)}, while "stockbridge run" runs.`);
  const again = `"stockbridge user link ${name}"`;
  if (cli.ask === undefined) return print(cli, `${name} sets the password by the link that ${again} prints.`);
  const opened = { config, log, redact: (text: string) => text };
  const { address } = await withOpened(opened, 'create', (store) => linkFor(store, name, Date.now()));
  printLines(cli, [`${name} sets the password by this link, once and within an hour:`, `  ${address}`]);
  print(cli, `For another link: ${again}.`);
}

/** Shows where the screen is, and who cannot log in yet. */
export async function noteScreen(
  cli: Cli,
  { admin }: Config,
  adminUrl: string,
  facts: Parameters<typeof usersNow>[1],
): Promise<void> {
  if (!('isTTY' in cli.stderr && cli.stderr.isTTY === true)) return;
  const listen = { ...admin.listen, port: Number(new URL(adminUrl).port) };
  note(cli, `The screen: ${screenAddress({ ...admin, listen })}`);
  const users = await usersNow(admin.users, facts);
  if (users.length === 0 && admin.operatorToken === null && admin.viewerToken === null)
    note(cli, 'Nobody may log in yet: "stockbridge user add NAME" prints the line for the configuration.');
  for (const { name } of users.filter(({ password }) => password === null))
    note(cli, `${name} has no password yet: "stockbridge user link ${name}" prints the link that sets it.`);
}
