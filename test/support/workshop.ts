import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/demo/free-port.ts';
import { ROOT } from './guide.ts';
import { until } from './stage.ts';

/** A folder like a checkout, in which a person types commands in a shell. */
export interface Workshop {
  readonly dir: string;
  /** The text with the ports of this workshop. */
  here(text: string): string;
  /** Types a command. Its exports stay for the next command. Standard output and error come as one text. */
  type(command: string): Promise<{ exitCode: number | null; output: string }>;
  /** Types a command that keeps running, in a terminal of its own, and waits for this output. */
  leaveRunning(command: string, says: RegExp): Promise<void>;
  /** Ends the running commands with this beginning. Returns their exit codes. */
  end(beginning: string): Promise<(number | null)[]>;
  close(): Promise<void>;
}

const STOCKBRIDGE = `#!/bin/sh
exec "${process.execPath}" "${ROOT}/src/main.ts" "$@"
`;

const NPM = `#!/bin/sh
[ "$1 $2 $3" = "run stockbridge --" ] || { echo "npm $* is not known here"; exit 64; }
shift 3
exec stockbridge "$@"
`;

/** The part of curl that the pages use, for machines without curl. */
const CURL = `#!${process.execPath}
const [headers, rest] = [{}, []];
let method, body;
for (const args = process.argv.slice(2); args.length > 0; ) {
  const arg = args.shift();
  if (arg === '-X') method = args.shift();
  else if (arg === '-d') body = args.shift();
  else if (arg === '-H') {
    const [, name, value] = /^(.*?): (.*)$/.exec(args.shift());
    headers[name.toLowerCase()] = value;
  } else if (arg !== '-s') rest.push(arg);
}
if (body !== undefined) headers['content-type'] ??= 'application/x-www-form-urlencoded';
const answer = await fetch(rest[0], { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body });
process.stdout.write(await answer.text());
if (!answer.ok) process.exitCode = 22;
`;

/** @param ports the ports in the commands. Each is replaced by a free port with as many digits */
export async function openWorkshop(ports: readonly number[]): Promise<Workshop> {
  const dir = mkdtempSync(join(tmpdir(), 'guide-'));
  const tools = join(dir, '.tools');
  mkdirSync(tools);
  for (const [name, text] of Object.entries({ stockbridge: STOCKBRIDGE, npm: NPM, curl: CURL })) {
    writeFileSync(join(tools, name), text, { mode: 0o755 });
  }
  cpSync(join(ROOT, 'config'), join(dir, 'config'), { recursive: true });
  writeFileSync(join(tools, 'environment'), '');
  const free = await freePorts(ports);
  const here = (text: string) => text.replaceAll(/(?<=127\.0\.0\.1:|port )\d+/g, (port) => free.get(port) ?? port);
  const PATH = [tools, dirname(process.execPath), process.env['PATH']].join(':');
  const env = { ...process.env, PATH };
  const running: { command: string; child: ChildProcess; exit: Promise<[number | null]> }[] = [];

  const start = (script: string) => {
    const child = spawn('sh', ['-c', script], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said.text += text;
      });
    }
    return { child, said, exit: once(child, 'close') as Promise<[number | null]> };
  };

  const end = async (beginning: string) => {
    const meant = running.filter(({ command }) => command.startsWith(beginning));
    for (const one of meant) running.splice(running.indexOf(one), 1);
    for (const { child } of meant) child.kill('SIGTERM');
    return Promise.all(meant.map(async ({ exit }) => (await exit)[0]));
  };

  return {
    dir,
    here,
    end,
    async type(command) {
      const { said, exit } = start(
        `. .tools/environment\n{ ${here(command)}\n} 2>&1\nstatus=$?\nexport -p > .tools/environment\nexit $status`,
      );
      const [exitCode] = await exit;
      return { exitCode, output: said.text };
    },
    async leaveRunning(command, says) {
      const { child, said, exit } = start(`exec ${here(command)}`);
      running.push({ command, child, exit });
      await until(`${command} says ${String(says)}: ${said.text}`, () => says.test(said.text));
    },
    async close() {
      await end('');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The wrapping of lines depends on their length, so a port keeps its number of digits. */
async function freePorts(ports: readonly number[]): Promise<Map<string, string>> {
  const free = new Map<string, string>();
  for (const port of ports) {
    const found = await freePort({ not: [...free.values()].map(Number), lowest: 7_000, highest: 9_999 });
    free.set(String(port), String(found));
  }
  return free;
}
