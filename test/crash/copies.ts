import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from '../../src/domain/error-code.ts';
import { startPostgres } from '../support/databases.ts';
import { holesIn, WINDOWS, type WindowRow } from '../support/holes.ts';

/** In use: a server notices that a program is dead after a moment. */
const IN_USE = '55006';
const MOST_TRIES = 100;
const TRY_EVERY_MS = 50;
const STAGE = 'stage';

/** A PostgreSQL on which the daemon's database of each world is a database of its own, and that of the current one `stage`. */
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
    /** Of the current one. */
    url: url.href,
    /** @param world null: an empty database */
    async take(world: string | null): Promise<void> {
      await copy(STAGE, world ?? 'template0');
      // The next start is later, by which time the leases of whoever was killed have run out: they go by the server's clock.
      if (world !== null) await onStage('update leases set until_ms = 0');
    },
    keep: (world: string) => copy(world, STAGE),
    /** As `holesOnRecord`. */
    holes: async () => holesIn((await onStage(WINDOWS)) as WindowRow[]),
    stop: server.stop,
  };
}
