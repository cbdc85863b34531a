import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { type Process, type Remote, start } from '../bench/support/rpc.ts';
import { spawnDaemon } from '../support/spawned.ts';
import type { SidesApi } from './sides-process.ts';
import { createTable, type Row, type Table } from './table.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface DayOptions {
  /** Products of the ERP; half of them are listed already, under SKUs that people typed. */
  readonly products: number;
  readonly customers: number;
  /** Orders from before the program, in all statuses. */
  readonly orders: number;
  /** The factor on the marketplace's documented limits, and the divisor of every interval of reading. */
  readonly speed: number;
  readonly orderEveryMs: number;
  readonly outageMs: number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

const POLL_SECONDS = { orders: 15, products: 300, erp: 15 } as const;
/** A list is read within its interval plus this, whatever else there is to do. */
const LATE_MS = 10_000;
/** A new order is in the ERP within this after the poll that finds it. */
const ENTERED_MS = 15_000;
const SETTLE_LIMIT_MS = 900_000;
const LOOK_EVERY_MS = 500;

type Sides = Remote<SidesApi>;

/** A time in which a side was away, or refused us. */
interface Stay {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Plays the first day, from `init` to a quiet daemon. Returns the rows of its table. */
export async function playDay(options: DayOptions): Promise<readonly Row[]> {
  const sides = start<SidesApi>(new URL('sides-process.ts', import.meta.url));
  const terminal = openTerminal(options.tell);
  try {
    return await play(options, sides, terminal);
  } finally {
    await sides.end();
    rmSync(terminal.dir, { recursive: true, force: true });
  }
}

async function play(
  options: DayOptions,
  { api: sides }: Process<SidesApi>,
  terminal: Terminal,
): Promise<readonly Row[]> {
  const { tell, signal } = options;
  const address = await sides.open(options);
  writeFileSync(join(terminal.dir, 'key'), address.key, { mode: 0o600 });
  writeFileSync(join(terminal.dir, 'erp-token'), address.token, { mode: 0o600 });
  const table = createTable();
  const reach = (what: string, isSo: () => Promise<boolean>) => until(what, signal, isSo).then(() => tell(what));

  table.exit('init', [0], await terminal.run(...initWords(join(terminal.dir, 'data'), address)));
  quicken(terminal.configFile, options.speed);
  table.exit('doctor', [0], await terminal.run('doctor'));
  table.exit('plan --summary', [2], await terminal.run('plan', '--summary'));

  const daemon = spawnDaemon(terminal.configFile, []);
  try {
    await reach('the creates wait for an operator', async () => (await plansOf(terminal, 'create')).length > 0);
    await reach(
      'the open orders of the past wait for an operator',
      async () => (await plansOf(terminal, 'history')).length > 0,
    );
    await linkPairs(terminal, table);
    // The creates begin with their approval.
    const { listings: before } = await sides.figures();
    for (const { hash } of [...(await plansOf(terminal, 'create')), ...(await plansOf(terminal, 'history'))]) {
      table.exit('brakes approve', [0], await terminal.run('brakes', 'approve', hash));
    }
    const workFromMs = Date.now();
    await sides.startBuying(options.orderEveryMs);
    const created = (share: number) => async () =>
      (await sides.figures()).listings >= before + (share * options.products) / 2;
    await reach('a quarter of the approved creates is made', created(0.25));

    const outage = await awayFor(options, sides, terminal, table);
    await reach('half of the approved creates is made', created(0.5));
    const locked = await rotateKey(options, sides, terminal, daemon.process.pid ?? 0);
    await reach('all approved creates are made', created(1));
    await sides.stopBuying();
    await sides.makeTheUnknown();
    await reach('the daemon is quiet', () => isQuiet(terminal));
    await judge(options, sides, terminal, table, { workFromMs, outage, locked });
  } finally {
    table.add(
      'the daemon ends when it is asked to',
      `exit ${await daemon.terminate()}`,
      'exit 0',
      (value) => value === 'exit 0',
    );
  }
  return table.rows;
}

interface Plan {
  readonly kind: string;
  readonly hash: string;
  readonly state: string;
}

async function plansOf(terminal: Terminal, kind: string): Promise<Plan[]> {
  const { plans } = await terminal.json<{ plans: Plan[] }>('brakes', 'list');
  return plans.filter((plan) => plan.kind === kind && plan.state === 'open');
}

/** Links the listings under other spellings, as the guide says. */
async function linkPairs(terminal: Terminal, table: Table): Promise<void> {
  const { stdout } = await terminal.run('map', 'suggest', '--csv');
  writeFileSync(join(terminal.dir, 'pairs.csv'), stdout);
  table.exit('map import pairs.csv', [0], await terminal.run('map', 'import', 'pairs.csv'));
}

/** The ERP is away for a while. The entities that were held before stay in view. */
async function awayFor(
  { outageMs, signal, tell }: DayOptions,
  sides: Sides,
  terminal: Terminal,
  table: Table,
): Promise<Stay> {
  await sides.orderTheUnknown();
  await until('an order of an unknown product is held', signal, async () => (await held(terminal)).length > 0);
  const before = await held(terminal);
  await sides.breakErp();
  const fromMs = Date.now();
  tell(`the ERP is away for ${outageMs / 1_000} s, with ${before.length} held`);
  await sleep(outageMs / 2, undefined, { signal }).catch(() => {});
  const during = await held(terminal);
  const missing = before.filter((key) => !during.includes(key));
  table.add('held entities that an outage hides', String(missing.length), '0', (value) => value === '0');
  await sleep(Math.max(0, fromMs + outageMs - Date.now()), undefined, { signal }).catch(() => {});
  await sides.mendErp();
  return { fromMs, toMs: Date.now() };
}

async function held(terminal: Terminal): Promise<string[]> {
  const { causes } = await terminal.json<{ causes: { jobs: { flow: string; key: string }[] }[] }>(
    'jobs',
    'list',
    '--state',
    'held',
  );
  return causes.flatMap(({ jobs }) => jobs.map(({ flow, key }) => `${flow}/${key}`));
}

/** The marketplace's key is exchanged; the daemon is told once it has been refused. */
async function rotateKey({ signal, tell }: DayOptions, sides: Sides, terminal: Terminal, pid: number): Promise<Stay> {
  const key = await sides.rotateKey();
  const fromMs = Date.now();
  const callsWith = async (status: string) => (await sides.figures()).statuses[status] ?? 0;
  await until('the old key is refused', signal, async () => (await callsWith('401')) > 0);
  const answered = await callsWith('200');
  writeFileSync(join(terminal.dir, 'key'), key, { mode: 0o600 });
  process.kill(pid, 'SIGHUP');
  await until('the new key is in use', signal, async () => (await callsWith('200')) > answered);
  const toMs = Date.now();
  tell(`the key was exchanged within ${Math.round((toMs - fromMs) / 1_000)} s`);
  return { fromMs, toMs };
}

async function isQuiet(terminal: Terminal): Promise<boolean> {
  const { accounts } = await terminal.json<{ accounts: { flows: { pending: number }[] }[] }>('status');
  return accounts.every(({ flows }) => flows.every(({ pending }) => pending === 0));
}

/** The day so far. */
interface Morning {
  /** When the creates were approved and the first buyer came. */
  readonly workFromMs: number;
  readonly outage: Stay;
  readonly locked: Stay;
}

async function judge(
  { products, speed }: DayOptions,
  sides: Sides,
  terminal: Terminal,
  table: Table,
  { workFromMs, outage, locked }: Morning,
): Promise<void> {
  const { placed, reads, statuses, calls, creates } = await sides.figures();
  const away: Record<string, Stay> = { orders: locked, listings: locked };
  for (const [list, atMs] of Object.entries(reads)) {
    const seconds =
      list === 'listings' ? POLL_SECONDS.products : list === 'orders' ? POLL_SECONDS.orders : POLL_SECONDS.erp;
    const longest = longestGapMs(
      atMs.filter((ms) => ms >= workFromMs),
      away[list] ?? outage,
    );
    table.atMost(`longest time between two reads of ${list}`, longest, everyMs(seconds, speed) + LATE_MS);
  }
  const troubled = placed.filter(({ atMs }) => isWithin(atMs, outage) || isWithin(atMs, locked));
  const calm = placed.filter((one) => !troubled.includes(one) && one.inErpAtMs !== null);
  const slowest = Math.max(0, ...calm.map(({ atMs, inErpAtMs }) => (inErpAtMs ?? atMs) - atMs));
  table.atMost(
    `slowest of ${calm.length} orders, from the buyer to the ERP`,
    slowest,
    everyMs(POLL_SECONDS.orders, speed) + ENTERED_MS,
  );
  const lost = placed.filter(({ inErpAtMs }) => inErpAtMs === null).length;
  table.add(`orders that the ERP does not have, of ${placed.length}`, String(lost), '0', (value) => value === '0');
  const tooMany = statuses['429'] ?? 0;
  table.add(`calls answered with 429, of ${calls}`, String(tooMany), '0', (value) => value === '0');
  const unlisted = String(products / 2);
  table.add('creates that the marketplace took', String(creates), unlisted, (value) => value === unlisted);
  const differences = await sides.disagreements();
  table.add(
    'both sides',
    differences.length === 0 ? 'agree' : differences.slice(0, 5).join('; '),
    'agree',
    (value) => value === 'agree',
  );
  table.exit('status --check', [0], await terminal.run('status', '--check'));
  table.exit('plan', [0], await terminal.run('plan', '--summary'));
}

const isWithin = (atMs: number, { fromMs, toMs }: Stay): boolean => atMs >= fromMs - LATE_MS && atMs <= toMs;

/** The longest time between two reads, without those that the time away is between. */
function longestGapMs(atMs: readonly number[], { fromMs, toMs }: Stay): number {
  const gaps = atMs.slice(1).map((ms, index) => ({ from: atMs[index] ?? ms, to: ms }));
  return Math.max(0, ...gaps.filter(({ from, to }) => to < fromMs || from > toMs).map(({ from, to }) => to - from));
}

/** The words of `init` for a newcomer who reads the guide. */
function initWords(dir: string, { marketplaceUrl, erpUrl }: Awaited<ReturnType<SidesApi['open']>>): string[] {
  const marketplace = ['--data', dir, '--url', marketplaceUrl, '--key', 'file:key', '--seller', '4711'];
  const erp = ['--erp', 'http', '--erp-url', erpUrl, '--erp-secret', 'file:erp-token'];
  return ['init', ...marketplace, ...erp, '--strategy', 'b'];
}

/** Sets the limits and intervals of a marketplace that is so many times as quick, and free ports. */
function quicken(file: string, speed: number): void {
  const config = parse(readFileSync(file, 'utf8')) as { accounts: { main: { marketplace: object; erp: object } } };
  const { main } = config.accounts;
  const every = (seconds: number) => `${everyMs(seconds, speed) / 1_000}s`;
  const marketplace = {
    ...main.marketplace,
    limits: { per_second: 8 * speed, per_minute: 300 * speed },
    poll: { orders: every(POLL_SECONDS.orders), products: every(POLL_SECONDS.products) },
  };
  const account = { ...main, marketplace, erp: { ...main.erp, poll: every(POLL_SECONDS.erp) } };
  const ports = { webhooks: { listen: '127.0.0.1:0' }, admin: { listen: '127.0.0.1:0' } };
  writeFileSync(file, stringify({ ...config, ...ports, accounts: { main: account } }));
}

/** An interval of reading, in ms. */
const everyMs = (seconds: number, speed: number): number => Math.max(1, Math.round(seconds / speed)) * 1_000;

async function until(what: string, signal: AbortSignal, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + SETTLE_LIMIT_MS; !(await isSo()); ) {
    if (Date.now() > deadline || signal.aborted) throw new Error(`it did not come to this: ${what}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
