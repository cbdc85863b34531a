import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { programOf } from './parts.ts';

/** A private, real database server on a port of loopback, with a folder of its own. */
export interface TestDatabase {
  readonly port: number;
  /** The address, with the name and password of the owner of everything. */
  readonly url: string;
  /** Runs statements as the owner of everything. Returns the rows of the last statement. */
  admin(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  revive(): Promise<void>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;
/** The words of PostgreSQL when it cannot start because a process of the killed server still runs. */
const KILLED_STILL_ENDS = 'shared memory block';
export const DATABASE = 'warenwirtschaft';
/** The time zone of the servers, which is that of the company's people. */
export const ZONE = 'Europe/Berlin';
const PASSWORD = 'owner of everything';
/** The machine has one bound for the asynchronous writes of all its databases. */
const OWN_IO = '--innodb-use-native-aio=0';

/** The server ends with its input, so a killed test process leaves none behind. */
const KEEPER = '"$@" </dev/null & read -r _; kill -9 $!; wait';

/** The user for a server: servers refuse to run as root. */
export function owner(user: string): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** A self-signed certificate, with its key. */
export interface OwnTls {
  readonly cert: string;
  readonly key: string;
}

/** Files of a certificate that the server may read. */
function tlsFiles(
  dir: string,
  as: { uid?: number; gid?: number },
  { cert, key }: OwnTls,
): { cert: string; key: string } {
  const [certFile, keyFile] = [join(dir, 'server.crt'), join(dir, 'server.key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  for (const file of [certFile, keyFile])
    if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
  return { cert: certFile, key: keyFile };
}

export async function startPostgres(tls?: OwnTls): Promise<TestDatabase> {
  const [program, initdb] = [programOf('postgres'), programOf('postgres', 'initdb')];
  const as = owner('postgres');
  const dir = ownedFolder('postgres-', as);
  const passwords = join(dir, 'password');
  writeFileSync(passwords, PASSWORD, { mode: 0o644 });
  const data = join(dir, 'data');
  const init = [
    '-D',
    data,
    '-U',
    'owner',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwords}`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ];
  execFileSync(initdb, init, { ...as, stdio: 'ignore' });
  const port = await freePort();
  const settings = [`unix_socket_directories=${dir}`, 'listen_addresses=127.0.0.1', 'fsync=off', `timezone=${ZONE}`];
  if (tls !== undefined) {
    const files = tlsFiles(dir, as, tls);
    settings.push('ssl=on', `ssl_cert_file=${files.cert}`, `ssl_key_file=${files.key}`);
  }
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const admin = async (sql: string, values: readonly unknown[] = [], database = DATABASE) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'owner', password: PASSWORD, database });
    client.on('error', () => {});
    try {
      await client.connect();
      const result: unknown = await client.query(sql, values.length === 0 ? undefined : [...values]);
      const last: unknown = Array.isArray(result) ? result.at(-1) : result;
      return (last as { rows: Record<string, unknown>[] }).rows;
    } finally {
      await client.end();
    }
  };
  const server = await keep(dir, [program, ...args], as, () => admin('select 1', [], 'postgres'));
  await admin(`create database ${DATABASE}`, [], 'postgres');
  const url = `postgres://owner:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${DATABASE}`;
  return { port, url, admin, ...server };
}

export async function startMariadb(tls?: OwnTls): Promise<TestDatabase> {
  const program = programOf('mariadb');
  const as = owner('mysql');
  const dir = ownedFolder('mariadb-', as);
  const data = join(dir, 'data');
  // A server that starts removes the temporary tables in its folder for them, those of other servers too.
  const init = [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${dir}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    OWN_IO,
  ];
  execFileSync(programOf('mariadb', 'mariadb-install-db'), init, { ...as, cwd: dir, stdio: 'pipe' });
  const port = await freePort();
  const settings = {
    datadir: data,
    tmpdir: dir,
    socket: join(dir, 's'),
    'pid-file': join(dir, 'pid'),
    port,
    'bind-address': '127.0.0.1',
  };
  const files = tls === undefined ? null : tlsFiles(dir, as, tls);
  const secured = files === null ? {} : { 'ssl-cert': files.cert, 'ssl-key': files.key };
  const given = Object.entries({
    ...settings,
    ...secured,
    'innodb-flush-log-at-trx-commit': 0,
    'innodb-buffer-pool-size': '32M',
  });
  const args = ['--no-defaults', ...given.map(([name, value]) => `--${name}=${value}`), '--skip-log-bin', OWN_IO];
  const admin = async (sql: string, values: readonly unknown[] = [], database = DATABASE) => {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      database,
      multipleStatements: true,
      decimalNumbers: false,
    });
    try {
      const [rows] = await connection.query(sql, [...values]);
      return (Array.isArray(rows) ? rows : []) as Record<string, unknown>[];
    } finally {
      await connection.end();
    }
  };
  const server = await keep(dir, [program, ...args], as, () => admin('select 1', [], 'mysql'));
  await admin(`create database ${DATABASE} character set utf8mb4`, [], 'mysql');
  const url = `mysql://root@127.0.0.1:${port}/${DATABASE}`;
  return { port, url, admin, ...server };
}

export function ownedFolder(prefix: string, as: { uid?: number; gid?: number }): string {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  if (as.uid !== undefined && as.gid !== undefined) chownSync(dir, as.uid, as.gid);
  return dir;
}

export async function keep(
  dir: string,
  command: readonly string[],
  as: { uid?: number; gid?: number },
  probe: () => Promise<unknown>,
): Promise<Pick<TestDatabase, 'kill' | 'revive' | 'stop'>> {
  const begin = () => {
    const child = spawn('sh', ['-c', KEEPER, 'sh', ...command], {
      ...as,
      cwd: dir,
      env: { ...process.env, TZ: ZONE },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const begun = { child, said: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      begun.said = (begun.said + text).slice(-2_000);
    });
    return begun;
  };
  const launch = async (): Promise<ChildProcessByStdio<Writable, null, Readable>> => {
    let begun = begin();
    const endMs = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await probe();
        return begun.child;
      } catch (error) {
        const { child, said } = begun;
        if (Date.now() > endMs || child.exitCode !== null) throw new Error(`no database: ${said}`, { cause: error });
        await sleep(50);
        if (!said.includes(KILLED_STILL_ENDS)) continue;
        child.stdin.end('\n');
        begun = begin();
      }
    }
  };
  let child = await launch();
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.stdin.end('\n');
    await ended;
  };
  return {
    kill: end,
    async revive() {
      child = await launch();
    },
    async stop() {
      await end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
