import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../src/demo/free-port.ts';
import { type Machine, startDaemons } from '../soak/several/daemons.ts';
import type { SidesApi } from '../soak/several/sides-process.ts';
import { accountText } from '../support/brand.ts';
import { startPostgres } from '../support/databases.ts';
import { startRedis } from '../support/redis.ts';
import { withDatabase } from '../support/tamper.ts';
import { type Figure, grouped } from './support/figure.ts';
import { untilNothing } from './support/rig.ts';
import { start } from './support/rpc.ts';

type Engine = 'SQLite' | 'PostgreSQL';

const SHARED = 6;
const ORDERS_EACH = 50;
const ORDERS_EACH_OF_MANY = 4;
const COUNTS = [1, 50, 300];
const IDLE_MS = 30_000;
/** The intervals of the shipped configuration. */
const POLLS = { poll: '15s', erpPoll: '15s' };
const NO_LIMIT = { perSecond: 100_000, perMinute: 1_000_000 };
const LIMIT_MS = 1_200_000;
const STILL_LOOKS = 20;
/** The unit of the processor's time in /proc. */
const TICK_MS = 10;
const PENDING = "select count(*) as count from work where state = 'pending'";
const HOLDERS = "select count(distinct holder) as count from leases where account <> ''";

/** Orders of several brands on each store, with one daemon and with several. */
export async function daemons(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [engine, count] of [
    ['SQLite', 1],
    ['PostgreSQL', 1],
    ['PostgreSQL', 2],
    ['PostgreSQL', 3],
  ] as const) {
    await using rig = await openAccounts(engine, count, SHARED, 5);
    const { seconds } = await rig.bringHome(ORDERS_EACH);
    figures.push({
      what: `${SHARED * ORDERS_EACH} orders at once of ${SHARED} accounts on ${engine}, ${count} daemons`,
      value: `${grouped((SHARED * ORDERS_EACH) / seconds, 1)} orders a second`,
      comparedTo: 'each other: the sides, the databases and the daemons share one machine',
    });
  }
  return figures;
}

/** The cost of each account for one daemon that works many accounts. */
export async function accounts(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    for (const count of COUNTS) {
      await using rig = await openAccounts(engine, 1, count, 1);
      const idle = await rig.during(() => sleep(IDLE_MS));
      const busy = await rig.during(() => rig.bringHome(ORDERS_EACH_OF_MANY));
      const orders = ORDERS_EACH_OF_MANY * count;
      const minutes = idle.tookMs / 60_000;
      figures.push({
        what: `${count} accounts on ${engine}, one daemon`,
        value: `idle ${grouped(idle.cpuMs / minutes / count, 0)} ms of processor and ${grouped(idle.calls / minutes / count, 1)} calls to the marketplace a minute each; ${grouped(busy.cpuMs / orders, 0)} ms of processor an order (${grouped(orders / (busy.tookMs / 1_000), 1)} a second); ${grouped(busy.memoryMb)} MB, ${busy.sockets} sockets`,
        comparedTo: 'each other; the processor is the daemon’s, without databases',
      });
    }
  }
  return figures;
}

async function openAccounts(engine: Engine, daemonCount: number, accountCount: number, products: number) {
  const closing = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'accounts-'));
  closing.defer(() => rmSync(dir, { recursive: true, force: true }));
  const redisPort = await freePort();
  closing.defer((await startRedis(redisPort)).stop);
  const postgres = engine === 'SQLite' ? null : await startPostgres();
  closing.defer(async () => postgres?.stop());
  const sides = start<SidesApi>(new URL('../soak/several/sides-process.ts', import.meta.url));
  closing.defer(sides.end);
  const brands = await sides.api.open(accountCount, { products, rate: null });
  const store = postgres === null ? '' : `store: postgres, postgres: "${postgres.url}", `;
  const running = await startDaemons({
    dir,
    names: ['first', 'second', 'third'].slice(0, daemonCount),
    state: (name) => `{ dir: ${join(dir, name)}, ${store}redis: "redis://127.0.0.1:${redisPort}" }`,
    accounts: new Map(brands.map((brand) => [brand.name, accountText(brand, { ...POLLS, ...NO_LIMIT })])),
  });
  closing.defer(running.stop);
  const count = async (sql: string): Promise<number> => {
    if (postgres !== null) return countOn(postgres.url, sql);
    return withDatabase(join(dir, 'first'), (sqlite) => Number(sqlite.prepare(sql).pluck().get()));
  };
  const lacking = async (): Promise<string | null> => {
    const { unlisted, orders, exported } = await sides.api.figures();
    if (unlisted > 0) return `${unlisted} products are not listed`;
    if (exported < orders) return `${exported} of ${orders} orders are exported`;
    if (postgres !== null && (await count(HOLDERS)) < daemonCount) return 'not every daemon works an account';
    const pending = await count(PENDING);
    return pending === 0 ? null : `${pending} keys wait`;
  };
  const untilStill = () => untilNothing(lacking, { looks: STILL_LOOKS, limitMs: LIMIT_MS });
  await untilStill();
  const bringHome = async (each: number) => {
    const startedMs = performance.now();
    await sides.api.placeOrders(each);
    const late = async () => {
      const { orders, exported } = await sides.api.figures();
      return exported === orders ? null : `${exported} of ${orders} orders are exported`;
    };
    await untilNothing(late, { limitMs: LIMIT_MS });
    return { seconds: (performance.now() - startedMs) / 1_000 };
  };
  return {
    bringHome,
    /** The memory and the processor time of the daemons during the work. */
    async during(work: () => Promise<unknown>) {
      const before = { cpuMs: cpuMsOf(running.all), calls: (await sides.api.figures()).calls, atMs: performance.now() };
      await work();
      return {
        cpuMs: cpuMsOf(running.all) - before.cpuMs,
        calls: (await sides.api.figures()).calls - before.calls,
        tookMs: performance.now() - before.atMs,
        memoryMb: sum(running.all, ({ status }) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024),
        sockets: sum(running.all, (one) => one.sockets),
      };
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function countOn(url: string, sql: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return Number((await client.query<{ count: string }>(sql)).rows[0]?.count);
  } finally {
    await client.end();
  }
}

const cpuMsOf = (machines: readonly Machine[]): number =>
  sum(machines, ({ stat }) => {
    // The 14th and 15th field. The name before them may hold blanks.
    const [user = '0', system = '0'] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  });

function sum(
  machines: readonly Machine[],
  of: (seen: { readonly stat: string; readonly status: string; readonly sockets: number }) => number,
): number {
  return machines.reduce((total, { daemon }) => {
    const proc = `/proc/${daemon.process.pid}`;
    const open = readdirSync(`${proc}/fd`).filter((fd) => linkOf(`${proc}/fd/${fd}`).startsWith('socket:'));
    const [stat, status] = [readFileSync(`${proc}/stat`, 'utf8'), readFileSync(`${proc}/status`, 'utf8')];
    return total + of({ stat, status, sockets: open.length });
  }, 0);
}

/** An empty text: the file was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
