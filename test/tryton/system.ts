import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KEPT } from '../support/kept.ts';
import { programOf } from '../support/parts.ts';

const run = promisify(execFile);

const SEED = fileURLToPath(new URL('./seed.py', import.meta.url));
const MODULES = ['sale', 'sale_amendment', 'account_invoice_stock', 'sale_payment'];
const DATABASE = 'tryton';
const ADMIN_PASSWORD = 'people-work-here';
/** The user that `seed.py` makes for the bridge. */
export const USER = { user: 'stockbridge', password: 'Bridge-4711-xyz' };

export interface RunningTryton {
  readonly url: string;
  readonly database: string;
  /** A person who may do everything. */
  readonly admin: { readonly user: string; readonly password: string };
  /** Kills PostgreSQL's connections, as a restart does. */
  dropConnections(): Promise<void>;
  sql(statement: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * A Tryton of its own on loopback, with a company, accounts, a warehouse and stock. The database is made once, in minutes, kept
 * outside of the repository, and copied for every test.
 */
export async function startTryton(products = 40): Promise<RunningTryton> {
  const home = await mkdtemp(join(tmpdir(), 'tryton-'));
  await own(home);
  const cluster = join(home, 'cluster');
  await cp(await seededCluster(products), cluster, { recursive: true });
  await ownAll(cluster);
  const port = await freePort();
  const postgres = await startPostgres(cluster, home, port);
  const config = await configure(home, port);
  const web = await startServer(config.file, config.port);
  const connect = ['-h', '127.0.0.1', '-p', String(port), '-U', 'tryton', '-At'];
  const sql = async (statement: string) =>
    (await run(programOf('tryton', 'psql'), [...connect, '-d', DATABASE, '-c', statement])).stdout.trim();
  return {
    url: `http://127.0.0.1:${config.port}`,
    database: DATABASE,
    admin: { user: 'admin', password: ADMIN_PASSWORD },
    sql,
    async dropConnections() {
      await sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE}' and pid <> pg_backend_pid()`,
      );
    },
    async stop() {
      await ended(web, 'SIGKILL');
      await postgres.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The folder of a stopped PostgreSQL with the seeded database. It is made anew when the seed or the version has changed. */
function seededCluster(products: number): Promise<string> {
  return kept(`${readFileSync(SEED, 'utf8')} ${products}`, async ({ cluster, home, port }) => {
    await cp(await activatedCluster(), cluster, { recursive: true });
    await ownAll(cluster);
    const postgres = await startPostgres(cluster, home, port);
    const { file } = await configure(home, port);
    await run(programOf('tryton', 'python3'), [SEED, file, DATABASE, String(products)]);
    await postgres.stop();
  });
}

/** The same without the seed: the activation of the modules takes longest. */
function activatedCluster(): Promise<string> {
  return kept('', async ({ cluster, home, port }) => {
    const locale = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    await run(programOf('tryton', 'initdb'), ['-D', cluster, '-U', 'tryton', '-A', 'trust', ...locale], asPostgres());
    const postgres = await startPostgres(cluster, home, port);
    const there = ['-h', '127.0.0.1', '-p', String(port), '-U', 'tryton'];
    await run(programOf('tryton', 'createdb'), [...there, '-T', 'template0', DATABASE]);
    const { file } = await configure(home, port);
    const password = join(home, 'password');
    await writeFile(password, ADMIN_PASSWORD);
    const args = [
      '-c',
      file,
      '-d',
      DATABASE,
      '--email',
      'admin@tryton.example',
      '--activate-dependencies',
      '-u',
      ...MODULES,
    ];
    await run(programOf('tryton', 'trytond-admin'), args, { env: { ...process.env, TRYTONPASSFILE: password } });
    await postgres.stop();
  });
}

type Make = (at: { readonly cluster: string; readonly home: string; readonly port: number }) => Promise<void>;

/** A folder with the result of a recipe. It is made once for each recipe: another process that wants it waits. */
async function kept(recipe: string, make: Make): Promise<string> {
  const { stdout: version } = await run(programOf('tryton'), ['--version']);
  const hash = createHash('sha256').update(`${version} ${MODULES.join()} ${recipe}`).digest('hex');
  const folder = join(KEPT, `stockbridge-tryton-${hash.slice(0, 16)}`);
  const maker = `${folder}.maker`;
  while (!existsSync(folder)) {
    if (!(await claim(maker))) {
      await sleep(200);
      continue;
    }
    try {
      await makeFolder(folder, make);
    } finally {
      await rm(maker);
    }
  }
  return folder;
}

/** Writes the id of this process to the file, unless a process that lives has written its own. */
async function claim(file: string): Promise<boolean> {
  const isClaimed = await writeFile(file, String(process.pid), { flag: 'wx' }).then(
    () => true,
    () => false,
  );
  if (isClaimed) return true;
  const pid = await readFile(file, 'utf8').catch(() => '');
  if (pid !== '' && !existsSync(`/proc/${pid}`)) await rm(file, { force: true });
  return false;
}

async function makeFolder(folder: string, make: Make): Promise<void> {
  const home = await mkdtemp(`${folder}-`);
  await own(home);
  const cluster = join(home, 'cluster');
  await make({ cluster, home, port: await freePort() });
  await rename(cluster, folder);
  await rm(home, { recursive: true, force: true });
}

async function startPostgres(cluster: string, home: string, port: number) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    fsync: 'off',
    full_page_writes: 'off',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(programOf('tryton', 'postgres'), ['-D', cluster, '-p', String(port), ...options], {
    stdio: 'ignore',
    ...asPostgres(),
  });
  const isReady = () =>
    run(programOf('tryton', 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
  await until(isReady, child, 'PostgreSQL');
  return { stop: () => ended(child, 'SIGINT') };
}

async function configure(home: string, postgresPort: number) {
  const port = await freePort();
  const file = join(home, 'trytond.conf');
  const lines = `[database]
uri = postgresql://tryton@127.0.0.1:${postgresPort}/
path = ${join(home, 'files')}
[web]
listen = 127.0.0.1:${port}
[session]
authentications = password
`;
  await mkdir(join(home, 'files'), { recursive: true });
  await writeFile(file, lines);
  return { file, port };
}

async function startServer(config: string, port: number): Promise<ChildProcess> {
  const child = spawn(programOf('tryton'), ['-c', config, '-d', DATABASE], { stdio: 'ignore' });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    );
  await until(isReady, child, 'Tryton');
  return child;
}

async function until(isReady: () => Promise<boolean>, child: ChildProcess, what: string): Promise<void> {
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${what} ended with ${child.exitCode} while it was started`);
    await sleep(100);
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** PostgreSQL does not run as root. If this process is root, PostgreSQL runs as the user of its package. */
function asPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function own(path: string): Promise<void> {
  const { uid, gid } = asPostgres();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

async function ownAll(path: string): Promise<void> {
  const { uid, gid } = asPostgres();
  if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, path]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
