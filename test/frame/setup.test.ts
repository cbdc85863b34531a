import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NODE_OPTIONS } from '../support/as-started.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOCKFILE = JSON.stringify({
  packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } },
});

/** Replaces npm: notes its arguments, and installs the packages of the lockfile, with the runtime. */
const NPM = `#!/bin/sh
echo "npm $*" >> calls
case "$1" in
  ci) rm -rf node_modules; mkdir -p node_modules/.bin "node_modules/$RUNTIME/bin"
    cp package-lock.json node_modules/.package-lock.json
    ln -s "$REAL_NODE" "node_modules/$RUNTIME/bin/node";;
esac
`;

const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
const RUNTIME = `${family}-${process.platform}-${process.arch}`;

const MAIN = `const [how, ...rest] = process.argv.slice(2);
if (how === 'echo') process.stdin.pipe(process.stdout);
else if (how === 'wait') {
  process.once('SIGTERM', () => { console.log('told to end'); process.exit(9); });
  console.log('waiting');
  setInterval(() => {}, 1000);
} else {
  const { PATH: path, NODE_COMPILE_CACHE: cache } = process.env;
  console.log(JSON.stringify({ how, rest, path, cache, options: process.execArgv, umask: process.umask() }));
  process.exitCode = 5;
}
`;

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  cpSync(join(ROOT, '.setup'), join(checkout, '.setup'), { recursive: true });
  write('package-lock.json', LOCKFILE);
  write('src/main.ts', MAIN);
  write('bin/npm', NPM);
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(join(checkout, path, '..'), { recursive: true });
  writeFileSync(join(checkout, path), content);
  if (path.startsWith('bin/')) chmodSync(join(checkout, path), 0o755);
}

function start(...args: string[]): ChildProcess {
  return startFile('.setup/run.mjs', ...args);
}

function startFile(file: string, ...args: string[]): ChildProcess {
  const env = {
    ...process.env,
    PATH: `${join(checkout, 'bin')}:${process.env['PATH']}`,
    REAL_NODE: process.execPath,
    RUNTIME,
    NODE_COMPILE_CACHE: undefined,
  };
  return spawn(process.execPath, [join(checkout, file), ...args], { cwd: checkout, env, stdio: 'pipe' });
}

async function run(...args: string[]) {
  const child = start(...args);
  const [out, err, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'exit')]);
  return { out, err, code: code as number };
}

function read(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}

function npmCalls(): string[] {
  const file = join(checkout, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

test('a verb in a checkout runs with the heap limits of the container, and finds the modules that were compiled before', async () => {
  const { options, cache, umask } = JSON.parse((await run('verb')).out) as Record<string, unknown>;
  expect(options).toEqual(NODE_OPTIONS);
  expect(options).toContainEqual(expect.stringMatching(/^--heap-growing-percent=\d+$/));
  expect(cache).toBe(join(checkout, 'node_modules/.cache/node'));
  // Node makes that folder before the program begins. Nobody else may replace what is in it.
  expect(umask).toBe(0o077);
});

test('a verb in a checkout installs the packages the first time, says so on standard error alone, and passes on data and exit code', async () => {
  const first = await run('verb', '--json', 'a b');
  expect(JSON.parse(first.out)).toMatchObject({ how: 'verb', rest: ['--json', 'a b'] });
  expect(first.err).toMatch(/^stockbridge: installing the npm packages .*\n$/);
  expect(first.code).toBe(5);
  expect(npmCalls()).toEqual([expect.stringMatching(/^npm ci /)]);
  const second = await run('verb');
  expect(second).toMatchObject({ err: '', code: 5 });
  expect(npmCalls().length).toBe(1);
});

test('a verb in a checkout installs the packages again when the lockfile has other packages', async () => {
  await run('verb');
  write('package-lock.json', LOCKFILE.replaceAll('sha512-a', 'sha512-b'));
  expect((await run('verb')).err).toMatch(/installing the npm packages/);
  write('package-lock.json', LOCKFILE.replaceAll('1.0.0', '1.0.1'));
  expect((await run('verb')).err).toMatch(/installing the npm packages/);
  expect((await run('verb')).err).toBe('');
});

test('a verb in a checkout installs the packages again when they came without the runtime', async () => {
  await run('verb');
  rmSync(join(checkout, 'node_modules', RUNTIME), { recursive: true });
  expect(await run('verb')).toMatchObject({ err: expect.stringMatching(/installing the npm packages/), code: 5 });
});

test('a verb in a checkout leaves the runtime where people look for it', async () => {
  await run('verb');
  const { stdout } = spawnSync(join(checkout, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(process.version);
});

test('a verb in a checkout says why the runtime does not run on this system', async () => {
  await run('verb');
  const runtime = join(checkout, 'node_modules', RUNTIME, 'bin/node');
  rmSync(runtime);
  writeFileSync(runtime, '#!/bin/sh\necho "node: not for this system" >&2\nexit 127\n', { mode: 0o755 });
  const { out, err, code } = await run('verb');
  expect(err).toBe(
    `stockbridge: the pinned Node at ${runtime} does not run on this system: node: not for this system\n`,
  );
  expect({ out, code }).toEqual({ out: '', code: 69 });
});

test('a verb in a checkout installs the library that the runtime lacks on a small system', async () => {
  await run('verb');
  const runtime = join(checkout, 'node_modules', RUNTIME, 'bin/node');
  rmSync(runtime);
  const lacking = `#!/bin/sh
[ -e "${checkout}/library" ] && exec "${process.execPath}" "$@"
echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127
`;
  writeFileSync(runtime, lacking, { mode: 0o755 });
  write('bin/apt-get', `#!/bin/sh\ncase "$*" in *install*libatomic1) : > "${checkout}/library";; esac\n`);
  write('bin/sudo', '#!/bin/sh\n[ "$1" = -n ] && shift && exec "$@"\n');
  const { err, code } = await run('verb');
  expect(err).toBe('stockbridge: installing libatomic (the pinned Node needs it) with apt-get (once) ...\n');
  expect(code).toBe(5);
});

test("a verb in a checkout prints npm's message, in the end in one line, when the packages are unavailable", async () => {
  write('bin/npm', '#!/bin/sh\necho "no network" >&2\nexit 1\n');
  const { out, err, code } = await run('verb');
  expect(err).toMatch(/no network\nstockbridge: "npm ci" failed in .*\n$/);
  expect({ out, code }).toEqual({ out: '', code: 69 });
});

test('a verb in a checkout does not disturb another first run at the same time', async () => {
  const runs = await Promise.all([run('verb'), run('verb'), run('verb')]);
  expect(runs.map(({ code }) => code)).toEqual([5, 5, 5]);
  expect(npmCalls().length).toBe(1);
});

test('a verb in a checkout takes over from a set-up that was killed', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  write('.stockbridge/setup.lock', String(pid));
  write(`.stockbridge/setup.${pid}`, String(pid));
  expect((await run('verb')).code).toBe(5);
  expect(readdirSync(join(checkout, '.stockbridge'))).toEqual([]);
});

test('a verb in a checkout gets standard input and signals', async () => {
  await run('verb');
  const echo = start('echo');
  echo.stdin?.end('to and fro');
  expect(await read(echo.stdout)).toBe('to and fro');
  const waiting = start('wait');
  const said = read(waiting.stdout);
  waiting.stdout?.once('data', () => waiting.kill('SIGTERM'));
  const [code] = await once(waiting, 'exit');
  expect({ said: await said, code }).toEqual({ said: 'waiting\ntold to end\n', code: 9 });
});

needing('git').test('git runs the hooks for contributors, and a verb does not change them', async () => {
  const git = (...args: string[]) => spawnSync(programOf('git'), ['-C', checkout, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  const hooks = () => git('config', '--local', 'core.hooksPath').stdout;
  await run('verb');
  expect(hooks()).toBe('');
  write('.setup/dev.mjs', `import { ready } from './ready.mjs';\nawait ready({ dev: true, redis: false });\n`);
  await once(startFile('.setup/dev.mjs'), 'exit');
  expect(hooks()).toBe('.setup/hooks\n');
});

describe('redis-server', () => {
  /** Asks for redis-server on a machine that has only the programs in `bin/`, as root or not. */
  function ensure({ root, others = '[]' }: { root: boolean; others?: string }): { out: string; err: string } {
    const script = `process.getuid = () => ${root ? 0 : 1000};
      const { ensureRedis } = await import(${JSON.stringify(join(checkout, '.setup/redis.mjs'))});
      console.log(await ensureRedis(${others}, ${JSON.stringify(join(checkout, 'bin'))}, []).catch((error) => error.message));`;
    const env = { PATH: `${join(checkout, 'bin')}:/usr/bin:/bin`, BIN: join(checkout, 'bin') };
    const args = ['--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    return { out: stdout.trim(), err: stderr };
  }

  const installer = '#!/bin/sh\necho "$0 $*" >> "$BIN/calls"\ncase "$*" in *install*) : > "$BIN/redis-server";; esac\n';

  test('an installed redis-server is used', () => {
    write('bin/redis-server', '');
    expect(ensure({ root: false })).toEqual({ out: join(checkout, 'bin'), err: '' });
  });

  test('redis-server is installed by root with the system’s package manager', () => {
    write('bin/apt-get', installer);
    const { out, err } = ensure({ root: true });
    expect(out).toBe(join(checkout, 'bin'));
    expect(err).toBe('stockbridge: installing redis-server with apt-get (once) ...\n');
    expect(readFileSync(join(checkout, 'bin/calls'), 'utf8')).toMatch(/update\n.*install -y .*redis-server\n$/);
  });

  test('redis-server is installed with sudo where that asks for no password', () => {
    write('bin/apt-get', installer);
    write('bin/sudo', '#!/bin/sh\n[ "$1" = -n ] && shift && exec "$@"\n');
    symlinkSync('/usr/bin/env', join(checkout, 'bin/env'));
    expect(ensure({ root: false }).out).toBe(join(checkout, 'bin'));
  });

  test('redis-server without the right to install it is requested in one line', () => {
    write('bin/apt-get', installer);
    write('bin/sudo', '#!/bin/sh\nexit 1\n');
    const { out, err } = ensure({ root: false });
    expect({ out, err }).toEqual({
      out: 'redis-server is not installed: run "apt-get install redis-server" as root',
      err: '',
    });
    expect(existsSync(join(checkout, 'bin/calls'))).toBe(false);
  });

  test('redis-server is requested together with what else is missing, so that one command is enough', () => {
    write('bin/apt-get', installer);
    write('bin/sudo', '#!/bin/sh\nexit 1\n');
    const others = `[{ what: 'libatomic', names: { 'apt-get': 'libatomic1' }, present: () => false }]`;
    expect(ensure({ root: false, others }).out).toBe(
      'libatomic and redis-server are not installed: run "apt-get install libatomic1 redis-server" as root',
    );
  });

  test('redis-server is requested in one line where no package manager is known', () => {
    expect(ensure({ root: true }).out).toBe(
      'redis-server is not installed: install it with the package manager of this system',
    );
  });

  test("the setup asks for a redis-server that it could not install, with the package manager's message", () => {
    write('bin/apt-get', '#!/bin/sh\necho "no such package"\nexit 100\n');
    const { out, err } = ensure({ root: true });
    expect(out).toMatch(
      /^redis-server is not installed: apt-get could not install it .*"apt-get install redis-server" as root$/,
    );
    expect(err).toContain('no such package');
  });
});
