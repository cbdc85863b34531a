import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type QueryResult } from 'pg';
import { freePort } from '../../../src/demo/free-port.ts';
import { keep, ownedFolder, owner } from '../../support/databases.ts';
import { programOf } from '../../support/parts.ts';

const run = promisify(execFile);
const USER = 'owner';
const NAME = 'stockbridge';
const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;
const SETTINGS = ['fsync=off', 'listen_addresses=127.0.0.1', 'max_connections=60', 'wal_retrieve_retry_interval=200ms'];

type Rows = QueryResult<Record<string, unknown>>;

interface Node {
  readonly data: string;
  readonly port: number;
  server: Awaited<ReturnType<typeof keep>> | null;
}

/** A real PostgreSQL with a replica that confirms every commit. */
export type Replicated = Awaited<ReturnType<typeof startReplicated>>;

export async function startReplicated() {
  const as = owner('postgres');
  const dir = ownedFolder('replicated-', as);
  const program = (name: string, ...args: string[]) => run(programOf('postgres', name), args, { ...as, cwd: dir });
  let primary: Node = { data: join(dir, 'one'), port: await freePort(), server: null };
  let other: Node = { data: join(dir, 'two'), port: await freePort({ not: [primary.port] }), server: null };

  const ask = async (port: number, sql: string, database = NAME): Promise<Rows> => {
    const client = new Client({ host: '127.0.0.1', port, user: USER, database });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const query = (sql: string, database?: string): Promise<Rows> => ask(primary.port, sql, database);
  const serve = async (node: Node): Promise<void> => {
    const settings = [`unix_socket_directories=${dir}`, ...SETTINGS].flatMap((setting) => ['-c', setting]);
    const command = [programOf('postgres'), '-D', node.data, '-p', String(node.port), ...settings];
    node.server = await keep(dir, command, as, () => ask(node.port, 'select 1', 'postgres'));
  };
  /** A commit waits for this many replicas. */
  const confirm = async (replicas: 0 | 1): Promise<void> => {
    await query(`alter system set synchronous_standby_names = '${replicas === 0 ? '' : '*'}'`);
    await query('select pg_reload_conf()');
  };
  const replicate = async (): Promise<void> => {
    rmSync(other.data, { recursive: true, force: true });
    const from = `host=127.0.0.1 port=${primary.port} user=${USER}`;
    await program('pg_basebackup', '-d', from, '-D', other.data, '-R', '-c', 'fast');
    await serve(other);
    await streaming();
    await confirm(1);
  };
  /** The link to the socket of the server that takes writes. */
  const socket = join(dir, 'primary');
  const lead = (): void => {
    rmSync(socket, { force: true });
    symlinkSync(join(dir, `.s.PGSQL.${primary.port}`), socket);
  };
  const streaming = async (): Promise<void> => {
    for (const endMs = Date.now() + LIMIT_MS; ; await sleep(LOOK_EVERY_MS)) {
      const { rows } = await query("select 1 from pg_stat_replication where state = 'streaming'");
      if (rows.length > 0) return;
      if (Date.now() > endMs) throw new Error('the replica does not follow');
    }
  };

  await program('initdb', '-D', primary.data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N');
  await serve(primary);
  lead();
  await query(`create database ${NAME}`, 'postgres');
  await replicate();

  return {
    url: (host: string, port: number) => `postgres://${USER}@${host}:${port}/${NAME}`,
    socket,
    query,
    async restart(): Promise<void> {
      await primary.server?.kill();
      await serve(primary);
      await streaming();
    },
    /** The primary dies, its replica takes its place, and gets a new replica. */
    async promote(): Promise<void> {
      await primary.server?.kill();
      [primary, other] = [other, primary];
      lead();
      await query('select pg_promote()', 'postgres');
      await confirm(0);
      await replicate();
    },
    cutConnections: () =>
      query(
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      ),
    async stop(): Promise<void> {
      await Promise.all([primary.server?.kill(), other.server?.kill()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
