import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { errorCode } from '../../src/domain/error-code.ts';
import { startPostgres, type TestDatabase } from './databases.ts';
import { nameParts } from './parts.ts';

const isOnPostgres = (): boolean => process.env['STOCKBRIDGE_TEST_STORE'] === 'postgres';

/** The server for the tests of a file. The environment may name an existing one. */
let server: Promise<TestDatabase> | null = null;

export async function postgresUrl(): Promise<string> {
  const given = process.env['STOCKBRIDGE_TEST_POSTGRES'];
  if (given !== undefined) return given;
  // The whole run is on PostgreSQL, so each of its files needs one.
  if (isOnPostgres()) nameParts(['postgres']);
  server ??= startPostgres();
  return (await server).url;
}

/** Ends the server of this file. */
export async function stopPostgres(): Promise<void> {
  await (await server)?.stop();
  server = null;
}

export interface TestSchema {
  /** The address. Connections to it see nothing else. */
  readonly url: string;
  /** Empties all tables. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

const DEADLOCK = '40P01';
const MOST_TRIES = 5;

export async function newSchema(): Promise<TestSchema> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: await postgresUrl() });
  client.on('error', () => {});
  await client.connect();
  await client.query(`create schema ${name}`);
  await client.query(`set search_path = ${name}`);
  await client.query('set session_replication_role = replica');
  const url = new URL(await postgresUrl());
  url.searchParams.set('options', `-c search_path=${name}`);
  let emptying: string | null = null;
  return {
    url: url.href,
    async empty() {
      emptying ??= await statementsToEmpty(client);
      await client.query(emptying);
    },
    async drop() {
      for (let tries = 1; ; tries += 1) {
        try {
          await client.query(`drop schema ${name} cascade`);
          return await client.end();
        } catch (error) {
          // A statement of a daemon that was killed may still run there.
          if (errorCode(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
        }
      }
    },
  };
}

/**
 * The section `state` of a configuration, on the engine that STOCKBRIDGE_TEST_STORE names, and a function that removes its
 * database.
 */
export async function stateSection(dir: string): Promise<{ readonly text: string; drop(): Promise<void> }> {
  if (!isOnPostgres()) return { text: `{ dir: ${dir}/data }`, drop: async () => {} };
  const { url, drop } = await newSchema();
  return { text: `{ dir: ${dir}/data, store: postgres, postgres: "${url}" }`, drop };
}

async function statementsToEmpty(client: Client): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(`
    select 'delete from ' || quote_ident(relname) as statement from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'stockbridge_migrations'
    union all select 'alter sequence ' || quote_ident(relname) || ' restart' from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S'`);
  return rows.map(({ statement }) => statement).join(';');
}
