import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from '../../src/domain/error-code.ts';
import { startPostgres } from '../support/databases.ts';
import { holesIn, WINDOWS, type WindowRow } from '../support/holes.ts';

/** The code of "in use": a server notices the death of a program only after a moment. */
const IN_USE = '55006';
const MOST_TRIES = 100;
const TRY_EVERY_MS = 50;
const STAGE = 'stage';

/** A PostgreSQL with one database for the daemon of each world, and the database `stage` for the current world. */
export async function openCopies() {
  const server = await startPostgres();
  const url = new URL(server.url);
  url.pathname = `/${STAGE}`;
  const copy = async (to: string, from: string): Promise<void> => {
    await server.admin(`drop database if exists "${to}" with (force)`);
    for (let tries = 1; ; tries += 1) {
      try {
        await server.admin(`create database "${to}" template "${from}"`);
        return;
      } catch (error) {
        if (errorCode(error) !== IN_USE || tries === MOST_TRIES) throw error;
        await sleep(TRY_EVERY_MS);
      }
    }
  };
  const onStage = async (sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end();
    }
  };
  return {
    /** The address of the current world's database. */
    url: url.href,
    /** @param world null: an empty database */
    async take(world: string | null): Promise<void> {
      await copy(STAGE, world ?? 'template0');
      // The leases of the killed daemon have to be over at the next start. They follow the server's clock, which nothing sets
      // ahead.
      if (world !== null) await onStage('update leases set until_ms = 0');
    },
    keep: (world: string) => copy(world, STAGE),
    /** The same as `holesOnRecord`. */
    holes: async () => holesIn((await onStage(WINDOWS)) as WindowRow[]),
    stop: server.stop,
  };
}
