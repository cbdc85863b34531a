import { createHmac } from 'node:crypto';
import type { Log } from '../../src/logging.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import { type Chance, createChance } from '../../src/sandbox/marketplace/prng.ts';
import type { WebhookSender } from '../../src/sandbox/marketplace/webhook-sender.ts';
import { disagreements, isHeld } from '../support/agreement.ts';
import { type Stage, WEBHOOK_SECRET } from '../support/stage.ts';
import { type Bridge, type Disk, openDisk, startBridge } from './bridge.ts';
import { type Clock, installClock } from './clock.ts';
import { createLaws, type Known } from './laws.ts';
import { type CallFault, createNetwork, type SideName } from './network.ts';
import { type Approved, createOperator } from './operator.ts';
import { DEEDS } from './people.ts';
import { createSimulatedQuota } from './quota.ts';
import { createQuotaLaw } from './quota-law.ts';
import { MAX_LATE_MS, strikeSide } from './side-faults.ts';
import { openSides, type Request } from './sides.ts';
import { configOf, type Variant, type World, worldOf } from './world.ts';

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
  readonly variant: Variant;
  /** What was broken, in order; empty when all is well. */
  readonly broken: readonly string[];
}

const START_MS = Date.UTC(2026, 0, 5, 9);
/** How long the program is away after it was killed. */
const MAX_DOWN_MS = 1_500;
/** The quota that nobody has. */
const OPEN_GATE: Governor = { acquire: async () => {}, observe: async () => {} };

/** One story from one seed: people and faults act at random, then both sides have to agree. The same seed, the same story. */
export async function playStory(seed: number, options: StoryOptions = {}): Promise<Ending> {
  const world = worldOf(seed);
  const clock = installClock(START_MS);
  const story = openStory(seed, world, clock, options);
  try {
    await story.play();
    await story.settle();
  } catch (error) {
    if (!(error instanceof Broken))
      story.laws.broken.push(`the program failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    story.close();
    clock.uninstall();
  }
  return { seed, variant: world.variant, broken: story.laws.broken };
}

/** The story is over: a law is broken. */
class Broken extends Error {}

function openStory(
  seed: number,
  world: World,
  clock: Clock,
  { only, tell = () => {}, struck = new Map() }: StoryOptions,
) {
  const luck = createChance(`network ${seed}`);
  const config = configOf(world);
  const disk = openDisk();
  const operator = createOperator(disk);
  const quota = world.quota === null ? null : createSimulatedQuota(world.quota);
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
  const offsets = { marketplaceMs: offset(), erpMs: offset() };
  const sides = openSides({ seed, clock: clock.nowMs, offsets, sender, quota: world.quota });
  const laws = createLaws(sides, world, clock.nowMs);
  const quotaLaw = world.quota === null ? null : createQuotaLaw(world.quota, laws.broken);
  /** What of it a program that is started anew still knows. */
  const durable = { ...laws.known };
  const note = () => {
    laws.note();
    if (laws.broken.length > 0) throw new Broken();
  };

  const network = createNetwork({
    clock,
    luck,
    timeoutMs: world.timeoutMs,
    sides: () => sides,
    pageSize: world.pageSize,
    fault(side) {
      const fault = planned[side].shift() ?? null;
      if (fault !== null) strike(`${side} ${fault}`);
      return fault;
    },
    onApplied(side, request, sent, reply, sentAtMs) {
      if (side === 'marketplace' && sentAtMs !== null) quotaLaw?.arrived(sentAtMs, clock.nowMs());
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
      if (kind === null) return;
      laws.known[kind] = arrivedAtMs;
      // It is on the disk when all that follows from it at once is done.
      const life = bridge;
      clock.after(0, () => {
        if (life === bridge) durable[kind] = arrivedAtMs;
      });
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
      governor: quota?.governor(config) ?? OPEN_GATE,
      killNow: () => killAfter !== null && (killAfter -= 1) < 0,
      onKilled() {
        killAfter = null;
        bridge = null;
        Object.assign(laws.known, durable);
        clock.killTimers();
        say('the program is killed');
        strike('killed');
        clock.after(luck.whole(10, MAX_DOWN_MS), start);
      },
    });
    if (!polling) bridge.stopPolling();
    say('the program starts');
  };

  const begin = async (): Promise<readonly number[]> => {
    sides.erp.control.seed(world.products, 1 + (seed % 1_000));
    for (const { sku } of sides.erp.control.state().products)
      sides.erp.control.setStock(sku, String(luck.whole(20, 99)));
    const buyers = ['NV', 'CA'].map((state) => sides.marketplace.addCustomer({ name: `Shop in ${state}`, state }));
    for (let order = 0; order < world.orders; order += 1) await before(order, buyers);
    laws.note();
    start();
    return buyers;
  };

  /** The marketplace was used before: somebody listed a product there, and it was ordered. */
  const before = async (order: number, buyers: readonly number[]): Promise<void> => {
    const mine = createChance(`${seed} before ${order}`);
    const { sku, name, price, unit_multiplier } = any(mine, sides.erp.control.state().products);
    const [product] = sides.marketplace.products().filter((one) => one.sku === sku);
    const fields = { sku, name, wholesale_price: price, unit_multiplier, quantity: '50' };
    const { id } = product ?? sides.marketplace.createProduct(fields);
    sides.marketplace.placeOrder({ customer: any(mine, buyers), items: [{ product: id, quantity: '1' }] });
    await clock.advance(mine.whole(500, 3_000));
  };

  const step = async (index: number, buyers: readonly number[]): Promise<void> => {
    const mine = createChance(`${seed} step ${index}`);
    const turn = world.turns[mine.whole(0, world.turns.length - 1)] ?? 'deed';
    switch (turn) {
      case 'deed':
        return deed(mine, buyers);
      case 'call faults':
        return callFaults(mine);
      case 'side fault':
        return sideFault(mine);
      case 'operator':
        return operate(mine);
      case 'kill within':
        killAfter = mine.whole(0, 12);
        return say(`the program will be killed after ${killAfter} effects`);
      case 'wipe':
        bridge?.wipeQueue();
        quota?.wipe();
        quotaLaw?.forget();
        strike('queue wiped');
        return say('the queue is wiped');
      case 'kill':
        return bridge?.kill();
    }
  };

  const operate = async (mine: Chance): Promise<void> => {
    const decision = await operator.decide(mine);
    if (decision === null) return;
    say(`an operator ${decision.told}`);
    if (decision.approved !== null) allow(decision.approved);
  };

  const allow = (approved: Approved): void => {
    strike('approved');
    laws.approved(approved);
  };

  const deed = (mine: Chance, buyers: readonly number[]): void => {
    const name = world.deeds[mine.whole(0, world.deeds.length - 1)] ?? '';
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
      planned[side].push(any(mine, world.callFaults));
    }
    say(`${side}: ${planned[side].join(', ')}`);
  };

  const sideFault = (mine: Chance): void => {
    const fault = any(mine, world.sideFaults);
    if (fault === 'rows visible late') laws.ordersMayHide();
    strikeSide(fault, sides, mine);
    strike(fault);
    say(fault);
  };

  return {
    laws,
    async play(): Promise<void> {
      const buyers = await begin();
      await clock.advance(2_000);
      for (let index = 0; index < world.steps; index += 1) {
        if (only === undefined || only.has(index)) await step(index, buyers);
        await clock.advance(createChance(`${seed} pause ${index}`).pick([0, 50, 300, 1_000, 2_500, 6_000]));
        if (laws.broken.length > 0) return;
      }
    },

    /** The faults end, people rest: within two passes both sides agree, and a further one has nothing to write. */
    async settle(): Promise<void> {
      if (laws.broken.length > 0) return;
      say('everything rests');
      planned.marketplace = [];
      planned.erp = [];
      killAfter = null;
      sides.marketplace.faults.clear();
      sides.erp.control.clearFaults();
      // What is still on its way arrives.
      polling = false;
      bridge?.stopPolling();
      await clock.advance(2 * world.timeoutMs + MAX_LATE_MS + 500);
      if (world.restarts) bridge?.kill();
      if (bridge === null) await clock.advance(MAX_DOWN_MS);
      if (world.brakes !== null) {
        await passOver();
        for (const approved of await operator.approveAll()) allow(approved);
      }
      const passes = [];
      for (let number = 0; number < 3; number += 1) {
        const result = await passOver();
        passes.push(result);
        // One more would find what this one found.
        if (number === 1 && result.written === 0 && result.pending === 0) break;
      }
      if (laws.broken.length > 0) return;
      const { work } = running().context.store;
      const held = [
        ...(await clock.until(work.held(), 1_000)).map((row) => `${row.flow} ${row.key}: ${row.holdReason}`),
        ...(await clock.until(work.failed(), 1_000)).map((job) => `${job.flow} ${job.key}: failed, ${job.message}`),
      ];
      const stage = { marketplace: sides.marketplace, erp: sides.erp } as unknown as Stage;
      const differ = disagreements(stage, world.variant.strategy).filter((line) => !isHeld(line, held));
      for (const line of held) if (/waits for an operator/.test(line)) laws.broken.push(`I11: approved, and ${line}`);
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

  async function passOver() {
    const result = await clock.until(running().sync(), 30 * 60_000);
    say(`pass: ${JSON.stringify(result)}`);
    return result;
  }

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

/** A list of these says nothing of the others. */
const OF_SOME = /[?&](sku|external_id_key)=/;

function kindOf(side: SideName, { method, target }: Request): keyof Known | null {
  if (method !== 'GET') return null;
  if (side === 'marketplace') {
    if (target.includes('/orders-received/?')) return 'orders';
    return target.includes('/products/?') && !OF_SOME.test(target) ? 'products' : null;
  }
  if (target.startsWith('/v1/products')) return 'erp-products';
  if (target.startsWith('/v1/stock')) return OF_SOME.test(target) ? null : 'erp-stock';
  const isOrders = target === '/v1/orders' || target.startsWith('/v1/orders?changed_since');
  return isOrders ? 'erp-orders' : null;
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && ['Refusal', 'Nothing'].includes(error.constructor.name);
}

function any<T>(luck: Chance, from: readonly T[]): T {
  return from[luck.whole(0, from.length - 1)] as T;
}
