import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/resolve.ts';
import type { Log } from '../../src/logging.ts';
import { type Chance, createChance } from '../../src/sandbox/marketplace/prng.ts';
import type { WebhookSender } from '../../src/sandbox/marketplace/webhook-sender.ts';
import { disagreements, isHeld } from '../support/agreement.ts';
import { type Stage, WEBHOOK_SECRET } from '../support/stage.ts';
import { type Bridge, type Disk, openDisk, startBridge } from './bridge.ts';
import { type Clock, installClock } from './clock.ts';
import { createLaws, type Known } from './laws.ts';
import { CALL_FAULTS, type CallFault, createNetwork, type SideName } from './network.ts';
import { DEEDS } from './people.ts';
import { ERP_TOKEN, openSides, type Request } from './sides.ts';

export const VARIANTS = [
  { strategy: 'a', write: 'quantity' },
  { strategy: 'b', write: 'available_inventory' },
  { strategy: 'b', write: 'quantity' },
  { strategy: 'c', write: 'quantity' },
] as const;

/** One story in four has a marketplace that gives few rows to a page, however many are asked for. */
export function hasSmallPages(seed: number): boolean {
  return Math.floor(seed / VARIANTS.length) % 4 === 0;
}

/** What goes wrong on the sides themselves. */
export const SIDE_FAULTS = [
  'rows visible late',
  'equal timestamps',
  'webhooks lost',
  'webhooks doubled',
  'webhooks late',
  'webhooks reordered',
  'ERP listing incomplete',
  'ERP listing empty',
  'ERP stock empty',
] as const;

export interface StoryOptions {
  /** Only these steps of the story; all of them when left out. */
  readonly only?: ReadonlySet<number>;
  /** Told of everything that happens. */
  readonly tell?: (line: string) => void;
  /** How often each kind of fault struck, added to. */
  readonly struck?: Map<string, number>;
}

export interface Ending {
  readonly seed: number;
  readonly variant: (typeof VARIANTS)[number];
  /** What was broken, in order; empty when all is well. */
  readonly broken: readonly string[];
}

/** The longest story; most are shorter, since most mistakes need little. */
export const STEPS = 32;
const START_MS = Date.UTC(2026, 0, 5, 9);
const TIMEOUT_MS = 1_000;

/** One story from one seed: people and faults act at random, then both sides have to agree. The same seed, the same story. */
export async function playStory(seed: number, options: StoryOptions = {}): Promise<Ending> {
  const variant = VARIANTS[seed % VARIANTS.length] as (typeof VARIANTS)[number];
  const config = configOf(variant);
  const clock = installClock(START_MS);
  const story = openStory(seed, config, clock, options);
  try {
    await story.play();
    await story.settle(variant.strategy);
  } catch (error) {
    if (!(error instanceof Broken))
      story.laws.broken.push(`the program failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    story.close();
    clock.uninstall();
  }
  return { seed, variant, broken: story.laws.broken };
}

/** The story is over: a law is broken. */
class Broken extends Error {}

function openStory(
  seed: number,
  config: Config,
  clock: Clock,
  { only, tell = () => {}, struck = new Map() }: StoryOptions,
) {
  const luck = createChance(`network ${seed}`);
  const disk = openDisk();
  const planned: Record<SideName, CallFault[]> = { marketplace: [], erp: [] };
  let bridge: Bridge | null = null;
  let killAfter: number | null = null;
  let polling = true;
  const applied = new Set<Request>();

  const say = (line: string) => tell(`${((clock.nowMs() - START_MS) / 1_000).toFixed(3).padStart(8)}  ${line}`);
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [
      level,
      ({ err, ...facts }: { err?: Error }, message: string) => {
        if (level !== 'debug') say(`${level}: ${message} ${JSON.stringify(facts)} ${err?.message ?? ''}`);
      },
    ]),
  ) as unknown as Log;
  const strike = (fault: string) => struck.set(fault, (struck.get(fault) ?? 0) + 1);

  const sender: WebhookSender = {
    start(target, { body }, lateMs) {
      const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('base64');
      const send = (tries: number) => async () => {
        const kind = target.url === 'orders' ? 'orders' : 'products';
        const status = (await bridge?.receive(kind, { 'service-signature': signature }, body)) ?? null;
        if (status !== null && status < 500) return;
        if (tries < 3) clock.after(1_000 * 2 ** tries, send(tries + 1));
      };
      clock.after(lateMs + luck.whole(5, 300), send(0));
    },
    waiting: () => 0,
    settled: async () => {},
    close: async () => {},
  };
  const apart = createChance(`${seed} clocks`);
  const offset = () => apart.pick([0, 0, 700, -90_000, 600_000, -3_600_000]);
  const sides = openSides(seed, clock.nowMs, { marketplaceMs: offset(), erpMs: offset() }, sender);
  const laws = createLaws(sides, clock.nowMs);
  const note = () => {
    laws.note();
    if (laws.broken.length > 0) throw new Broken();
  };

  const network = createNetwork({
    clock,
    luck,
    timeoutMs: TIMEOUT_MS,
    sides: () => sides,
    pageSize: hasSmallPages(seed) ? 3 : null,
    fault(side) {
      const fault = planned[side].shift() ?? null;
      if (fault !== null) strike(`${side} ${fault}`);
      return fault;
    },
    onApplied(side, request, sent, reply) {
      if (request.method === 'GET') return;
      say(`${side} <- ${request.method} ${request.target} ${request.body.slice(0, 300)} -> ${reply.status}`);
      if (reply.status >= 300) return;
      applied.add(request);
      if (applied.size > onRecord(disk)) laws.broken.push(`I10: ${request.method} ${request.target} is not on record`);
      laws.judge(side, request, sent as Known);
      laws.note();
    },
    onAnswered(side, request, arrivedAtMs) {
      const kind = kindOf(side, request);
      if (kind !== null) laws.known[kind] = arrivedAtMs;
    },
  });

  const start = (): void => {
    bridge = startBridge({
      config,
      disk,
      luck,
      network,
      log,
      onSend: () => ({ ...laws.known }),
      killNow: () => killAfter !== null && (killAfter -= 1) < 0,
      onKilled() {
        killAfter = null;
        bridge = null;
        clock.killTimers();
        say('the program is killed');
        strike('killed');
        clock.after(luck.whole(10, 3_000), start);
      },
    });
    if (!polling) bridge.stopPolling();
    say('the program starts');
  };

  const begin = (): readonly number[] => {
    sides.erp.control.seed(3, 1 + (seed % 1_000));
    for (const { sku } of sides.erp.control.state().products)
      sides.erp.control.setStock(sku, String(luck.whole(20, 99)));
    const buyers = ['NV', 'CA'].map((state) => sides.marketplace.addCustomer({ name: `Shop in ${state}`, state }));
    laws.note();
    start();
    return buyers;
  };

  const step = (index: number, buyers: readonly number[]): void => {
    const mine = createChance(`${seed} step ${index}`);
    const turn = mine.whole(1, 100);
    if (turn <= 68) deed(mine, buyers);
    else if (turn <= 84) callFaults(mine);
    else if (turn <= 91) sideFaults(mine);
    else if (turn <= 95) {
      killAfter = mine.whole(0, 12);
      say(`the program will be killed after ${killAfter} effects`);
    } else if (turn <= 98) {
      bridge?.wipeQueue();
      strike('queue wiped');
      say('the queue is wiped');
    } else bridge?.kill();
  };

  const deed = (mine: Chance, buyers: readonly number[]): void => {
    const names = Object.keys(DEEDS);
    const name = names[mine.whole(0, names.length - 1)] ?? '';
    try {
      DEEDS[name]?.(sides, mine, buyers);
      say(name);
      note();
    } catch (error) {
      // People try what is refused, too.
      if (error instanceof Broken || !isRefusal(error)) throw error;
    }
  };

  const callFaults = (mine: Chance): void => {
    const side = mine.pick(['marketplace', 'erp']);
    const times = mine.pick([1, 1, 1, 2, 3, 6]);
    for (let time = 0; time < times; time += 1) {
      // Not the very next calls, most of which only read.
      for (let pass = mine.whole(0, 2); pass > 0; pass -= 1) planned[side].push(null as never);
      planned[side].push(mine.pick(CALL_FAULTS));
    }
    say(`${side}: ${planned[side].join(', ')}`);
  };

  const sideFaults = (mine: Chance): void => {
    const { faults } = sides.marketplace;
    const control = sides.erp.control;
    const choices: Record<(typeof SIDE_FAULTS)[number], () => void> = {
      'rows visible late': () => {
        faults.set({ kind: 'late-rows', entity: 'orders', lists: mine.whole(1, 4), times: 1 });
        laws.ordersMayHide();
      },
      'equal timestamps': () => faults.set({ kind: 'same-modified', times: mine.whole(1, 6) }),
      'webhooks lost': () => faults.set({ kind: 'webhook-lost', times: mine.whole(1, 6) }),
      'webhooks doubled': () => faults.set({ kind: 'webhook-doubled', times: mine.whole(1, 4) }),
      'webhooks late': () => faults.set({ kind: 'webhook-late', ms: mine.whole(500, 8_000), times: mine.whole(1, 4) }),
      'webhooks reordered': () => faults.set({ kind: 'webhook-reordered', batch: 3, times: 3 }),
      'ERP listing incomplete': () =>
        control.inject({ kind: 'incomplete', path: '/v1/products', times: mine.whole(1, 3) }),
      'ERP listing empty': () => control.inject({ kind: 'empty', path: '/v1/products', times: mine.whole(1, 3) }),
      'ERP stock empty': () => control.inject({ kind: 'empty', path: '/v1/stock', times: mine.whole(1, 3) }),
    };
    const name = mine.pick(SIDE_FAULTS);
    choices[name]();
    strike(name);
    say(name);
  };

  return {
    laws,
    async play(): Promise<void> {
      const buyers = begin();
      await clock.advance(3_000);
      const steps = createChance(`${seed} length`).pick([2, 3, 4, 6, 8, 12, STEPS]);
      for (let index = 0; index < steps; index += 1) {
        if (only === undefined || only.has(index)) step(index, buyers);
        await clock.advance(createChance(`${seed} pause ${index}`).pick([0, 50, 300, 1_000, 2_500, 6_000]));
        if (laws.broken.length > 0) return;
      }
    },

    /** The faults end, people rest: within two passes both sides agree, and a further one has nothing to write. */
    async settle(strategy: 'a' | 'b' | 'c'): Promise<void> {
      if (laws.broken.length > 0) return;
      say('everything rests');
      planned.marketplace = [];
      planned.erp = [];
      killAfter = null;
      sides.marketplace.faults.clear();
      sides.erp.control.clearFaults();
      // What is still on its way arrives.
      await clock.advance(2 * TIMEOUT_MS + 9_000);
      polling = false;
      bridge?.kill();
      await clock.advance(4_000);
      const passes = [];
      for (let pass = 0; pass < 3; pass += 1) {
        const result = await clock.until(running().sync(), 30 * 60_000);
        passes.push(result);
        say(`pass: ${JSON.stringify(result)}`);
        // One more would find what this one found.
        if (pass === 1 && result.written === 0 && result.pending === 0) break;
      }
      if (laws.broken.length > 0) return;
      const { work } = running().context.store;
      const held = [
        ...(await clock.until(work.held(), 1_000)).map((row) => `${row.flow} ${row.key}: ${row.holdReason}`),
        ...(await clock.until(work.failed(), 1_000)).map((job) => `${job.flow} ${job.key}: failed, ${job.message}`),
      ];
      const stage = { marketplace: sides.marketplace, erp: sides.erp } as unknown as Stage;
      const differ = disagreements(stage, strategy).filter((line) => !isHeld(line, held));
      for (const line of differ) laws.broken.push(`I6: ${line}`);
      if (differ.length > 0) for (const line of held) say(`held: ${line}`);
      const pending = passes[1]?.pending;
      const written = passes.at(-1)?.written;
      if (pending !== 0) laws.broken.push(`I6: after two passes, ${pending} keys are pending`);
      if (written !== 0) laws.broken.push(`I6: a further pass wrote ${written} times`);
    },

    close(): void {
      if (laws.broken.length > 0) for (const line of journalOf(disk)) tell(line);
      sides.close();
    },
  };

  function running(): Bridge {
    if (bridge === null) throw new Error('the program does not run');
    return bridge;
  }
}

/** What the program has on record of its writes. */
function journalOf({ sqlite }: Disk): string[] {
  const rows = sqlite
    .prepare('SELECT at_ms, flow, key, action, before, after, outcome, why FROM journal ORDER BY id')
    .all();
  return (rows as Record<string, unknown>[]).map(({ at_ms, ...row }) => {
    const seconds = ((Number(at_ms) - START_MS) / 1_000).toFixed(3).padStart(8);
    return `${seconds}  on record: ${Object.values(row).join(' | ')}`;
  });
}

/** Writes that are on record, with their reasons. */
function onRecord({ sqlite }: Disk): number {
  const count = "SELECT count(*) AS n FROM journal WHERE outcome NOT IN ('noted', 'dry-run')";
  return (sqlite.prepare(count).get() as { n: number }).n;
}

function kindOf(side: SideName, { method, target }: Request): keyof Known | null {
  if (method !== 'GET') return null;
  if (side === 'marketplace') return target.includes('/orders-received/?') ? 'orders' : null;
  if (target.startsWith('/v1/products')) return 'erp-products';
  if (target.startsWith('/v1/stock')) return 'erp-stock';
  const isOrders = target === '/v1/orders' || target.startsWith('/v1/orders?changed_since');
  return isOrders ? 'erp-orders' : null;
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && ['Refusal', 'Nothing'].includes(error.constructor.name);
}

const configs = new Map<string, Config>();

function configOf({ strategy, write }: (typeof VARIANTS)[number]): Config {
  const name = `${strategy} ${write}`;
  const known = configs.get(name);
  if (known !== undefined) return known;
  const dir = mkdtempSync(join(tmpdir(), 'simulation-'));
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(file, yamlOf(strategy, strategy === 'b' ? `, write: ${write}` : ''));
  const { config } = loadConfig(file, {});
  rmSync(dir, { recursive: true });
  configs.set(name, config);
  return config;
}

function yamlOf(strategy: string, write: string): string {
  return `
version: 1
state: { dir: data }
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: http://marketplace.invalid
      auth: { scheme: app, key: sandbox-key }
      seller_id: 4711
      timeout: ${TIMEOUT_MS}ms
      poll: { orders: 5s, products: 20s, overlap: 2m, full: "* * * * *" }
      webhooks: { secret: ${WEBHOOK_SECRET} }
      transitions: { accept: accept, reject: reject }
    erp: { type: http, url: "http://erp.invalid", token: ${ERP_TOKEN}, poll: 5s, timeout: ${TIMEOUT_MS}ms }
    inventory: { strategy: ${strategy}, buffer: 0${write} }
    brakes: { archive: { count: 1000, percent: 100 }, zero: { count: 1000, percent: 100 }, price: { percent: 10000 } }
`;
}
