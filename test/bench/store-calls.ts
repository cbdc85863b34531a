import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import { openConnection } from '../../src/store/postgres/connection.ts';
import { connected } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { bringHome, seedOrder } from '../flows/one-order-home.ts';
import { countCalls } from '../support/count-calls.ts';
import { startPostgres } from '../support/databases.ts';
import type { Figure } from './support/figure.ts';

/** Calls to the store. Each call is a wait when the database is in another process. */
export async function storeCalls(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const database = await openDatabase(dir);
  const own = createStore(database.db, () => 1_000_000);
  await seedOrder(own);
  const { store, calls } = countCalls(own);
  await FLOW_RUNS['order-in'].plan(accountContext(store, accountConfig()), '1001');
  const home = await bringHome(own);
  database.close();
  rmSync(dir, { recursive: true });
  const trips = await roundTrips();
  return [
    {
      what: 'calls to the store for one look at an order of two lines',
      value: String(calls.length),
      comparedTo: '16 before an observation was one call; at most 3',
      met: calls.length <= 3,
    },
    {
      what: 'calls to the store to bring that order home, its mark included',
      value: String(home.length),
      comparedTo: '67 before an observation was one call; at most 20',
      met: home.length <= 20,
    },
    {
      what: 'round trips to PostgreSQL for one observation of that order',
      value: String(trips.ofLook),
      comparedTo: '19 before an observation prefetched its questions; 1',
      met: trips.ofLook === 1,
    },
    {
      what: 'round trips to PostgreSQL to bring that order home',
      value: String(trips.home),
      comparedTo: '128 before; each is a wait of the thread of the statements',
    },
  ];
}

async function roundTrips() {
  const server = await startPostgres();
  const connection = openConnection(server.url);
  try {
    connection.reconnect();
    migrate(connection, true);
    const store = createStore(connected(connection).db, () => 1_000_000);
    await seedOrder(store);
    const before = connection.asked;
    await bringHome(store);
    const home = connection.asked - before;
    await store.observe.orderIn('main', '1001', []);
    return { home, ofLook: connection.asked - before - home };
  } finally {
    connection.close();
    await server.stop();
  }
}
