import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from '../../src/store/postgres/connection.ts';
import { startPostgres, type TestDatabase } from '../support/databases.ts';
import { needing } from '../support/needing.ts';

needing('postgres').describe('on a real PostgreSQL', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('a connection that stops responding is replaced, and its late answers reach nobody', () => {
    const connection = openConnection(server.url);
    connection.reconnect();
    const pidOf = () => Number(connection.query('select pg_backend_pid()').rows[0]?.[0]);
    const silent = pidOf();
    process.kill(silent, 'SIGSTOP');
    try {
      connection.ahead('begin');
      connection.reconnect();
      expect(pidOf()).not.toBe(silent);
      expect(connection.query('select 1').rows).toEqual([[1]]);
    } finally {
      process.kill(silent, 'SIGCONT');
      connection.close();
    }
  });
});
