import { createHmac } from 'node:crypto';
import type { Log } from '../../src/logging/logging.ts';
import { type Governor, UNLIMITED } from '../../src/marketplace/quota.ts';
import { type Chance, createChance } from '../../src/sandbox/chance.ts';
import type { WebhookSender } from '../../src/sandbox/marketplace/webhook-sender.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';
import { workAlone } from './alone.ts';
import { planFor } from './bridge.ts';
import type { Clock } from './clock.ts';
import { createCoverageLaw } from './coverage-law.ts';
import { openDisk } from './disk.ts';
import { createEditsLaw } from './edits-law.ts';
import { createEffectLaw } from './effect-law.ts';
import { createFreshnessLaw } from './freshness-law.ts';
import { createTablePeople } from './happenings.ts';
import { createLaws, type Known } from './laws.ts';
import { isOrder, judgeLimits } from './limits-law.ts';
import { createMoney } from './money.ts';
import { createNames } from './names.ts';
import { type CallFault, createNetwork, type SideName, type Wire } from './network.ts';
import { type Approved, createOperator } from './operator.ts';
import { isRefusal } from './pick.ts';
import { createSimulatedQuota } from './quota.ts';
import { createQuotaLaw } from './quota-law.ts';
import { alertsIn, journalOf, relinkedIn, writesAfter } from './record.ts';
import { createRecordLaw } from './record-law.ts';
import { createRowsAhead } from './rows-ahead.ts';
import { struckOn } from './side-faults.ts';
import { openSides, type Request } from './sides.ts';
import { createSpoiler } from './spoil.ts';
import type { Staff, StaffParts } from './staff.ts';
import { createStatusesLaw } from './statuses-law.ts';
import { createStrangers } from './strangers.ts';
import { createTellsAll } from './tells-all.ts';
import { workTogether } from './together.ts';
import { createToldLaw } from './told-law.ts';
import { configOf, type World } from './world.ts';

export const START_MS = Date.UTC(2026, 0, 5, 9);
const PLAN_LIMIT_MS = 10 * 60_000;
/** A governor without a quota. */
export const OPEN_GATE: Governor = { acquire: async () => UNLIMITED, observe: async () => {} };

export interface Told {
  /** Called with a line for every event. */
  readonly tell: (line: string) => void;
  /** How often each kind of fault struck. The story adds to it. */
  readonly struck: Map<string, number>;
}

export type Town = ReturnType<typeof openTown>;

/** The place of a story: both sides, the network between them and the program, the program, and the laws. */
export function openTown(seed: number, world: World, clock: Clock, { tell, struck }: Told) {
  const luck = createChance(`network ${seed}`);
  const config = configOf(world);
  const disk = openDisk();
  const operator = createOperator(disk);
  const quota = world.quota === null ? null : createSimulatedQuota(world.quota);
  const planned: Record<SideName, (CallFault | null)[]> = { marketplace: [], erp: [] };
  const say = (line: string) => tell(`${((clock.nowMs() - START_MS) / 1_000).toFixed(3).padStart(8)}  ${line}`);
  const log = logOf(say);
  const strike = (fault: string) => struck.set(fault, (struck.get(fault) ?? 0) + 1);

  const sender = createSender(clock, luck, (...delivery) => staff.receive(...delivery));
  const apart = createChance(`${seed} clocks`);
  const offset = () => apart.pick([0, 0, 700, -90_000, 600_000, -3_600_000]);
  const offsets = { marketplaceMs: offset(), erpMs: offset() };
  if (offsets.marketplaceMs !== 0 || offsets.erpMs !== 0) strike('clocks apart');
  const sides = openSides({ seed, clock: clock.nowMs, offsets, sender, quota: world.quota });
  const broken: string[] = [];
  const strangers = world.strangers ? createStrangers(sides, broken) : null;
  const names = createNames(sides);
  const laws = createLaws(sides, world, clock.nowMs, broken, names, strangers?.skuOf);
  const editsLaw = createEditsLaw(sides, laws.broken, clock.nowMs, strangers?.trueSku);
  const statusesLaw = world.happenings === null ? null : createStatusesLaw(sides, laws.broken, clock.nowMs);
  /** To be called after people did something. */
  const note = () => {
    laws.note();
    editsLaw.note();
    statusesLaw?.note();
  };
  /** Plays what people do. A side may refuse it. `act` may return better words for it. */
  const attempt = (told: string, act: () => unknown) => {
    try {
      const words = toldLaw === null ? act() : toldLaw.by(act);
      say(typeof words === 'string' ? words : told);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      say(`${told}, which is refused`);
    }
    note();
  };
  const toldLaw = world.happenings === null ? null : createToldLaw(sides, names);
  const people =
    world.happenings === null
      ? null
      : createTablePeople({ sides, clock, erpNowMs: () => clock.nowMs() + offsets.erpMs, attempt }, world.happenings);
  const effectLaw = createEffectLaw(laws.broken);
  const money = world.payments ? createMoney(sides, laws.broken) : null;
  const recordLaw = createRecordLaw(disk, laws.broken);
  const coverageLaw = createCoverageLaw(disk, sides, laws.broken);
  const rowsAhead = world.ahead ? createRowsAhead(disk, clock, offsets, laws.broken) : null;
  const quotaLaw = world.quota === null ? null : createQuotaLaw(world.quota, laws.broken);
  const freshnessLaw = createFreshnessLaw(world, clock.nowMs, laws.broken);
  const spoiler = createSpoiler();
  /** The knowledge that a program has after a restart. */
  const durable: Known = { 'erp-products': 0, 'erp-stock': 0, 'erp-orders': 0, orders: 0, products: 0 };
  const tellsAll = createTellsAll();
  const network = createNetwork({
    clock,
    luck,
    timeoutMs: world.timeoutMs,
    sides: () => sides,
    pageSize: world.pageSize,
    fault(side, method) {
      const fault = planned[side].shift() ?? null;
      // Something on the way sends the request again. The program cannot know that, so it is done only where it is harmless.
      if (fault === 'doubled' && method === 'POST') return null;
      if (fault !== null) strike(`${side} ${fault}`);
      return fault;
    },
    told(side, request, reply) {
      const told = rowsAhead?.told(side, request, reply) ?? reply;
      if (told !== reply) strike('row from the future');
      return spoiler.told(side, request, told);
    },
    onApplied(side, request, sent, reply, sentAtMs) {
      if (side === 'marketplace' && sentAtMs !== null) quotaLaw?.arrived(sentAtMs, clock.nowMs());
      if (request.method === 'GET') return;
      say(`${side} <- ${request.method} ${request.target} ${request.body.slice(0, 300)} -> ${reply.status}`);
      if (reply.status >= 300) return;
      // A request that something on the way repeats may be applied although the program's own copy is refused.
      if (sentAtMs !== null) recordLaw.applied(request);
      effectLaw.accepted(request);
      laws.judge(side, request, sent as Known);
      editsLaw.judge(side, request, sent as Known);
      statusesLaw?.judge(side, sent as Known);
      if (side === 'erp' && isOrder(request)) judgeLimits(request, laws.broken);
      if (side === 'erp' && request.method === 'POST' && request.target === '/v1/orders')
        toldLaw?.entered(request, reply);
      money?.judge(side, request);
      strangers?.judge(side, request);
    },
  });
  const wire: StaffParts['wire'] = (isCurrent) => {
    const known = { ...durable };
    // A daemon that took the lease and then stood still may begin when the lease is over.
    if (isCurrent()) recordLaw.begun();
    return {
      onSend(side, request) {
        if (request.method !== 'GET') recordLaw.sent(side, request);
        return { ...known };
      },
      onAnswered(side, request, reply, arrivedAtMs) {
        const kind = kindOf(side, request);
        if (kind !== null && isCurrent()) freshnessLaw.wasRead(kind);
        statusesLaw?.wasRead(side, request, arrivedAtMs);
        // An answer for a daemon whose lease is over does not get on the disk.
        const isHeeded = isCurrent() || reply.untrue === true;
        if (kind === null || !isHeeded || !tellsAll(request, reply)) return;
        known[kind] = arrivedAtMs;
        // The answer is on the disk when its immediate consequences are done.
        clock.after(0, () => {
          if (isCurrent()) durable[kind] = arrivedAtMs;
        });
      },
    };
  };
  const governor = () => quota?.governor(config) ?? OPEN_GATE;
  const onKilled = () => {
    if (quota?.isWiped()) quotaLaw?.forgetMinute(clock.nowMs());
  };
  const parts: StaffParts = { clock, config, disk, luck, network, log, say, strike, governor, wire, onKilled };
  const together = world.workers === 2 ? workTogether(parts, laws.broken) : null;
  const alone = workAlone(parts);
  const staff: Staff = together ?? alone;

  return {
    seed,
    world,
    clock,
    sides,
    laws,
    effectLaw,
    money,
    strangers,
    coverageLaw,
    rowsAhead,
    freshnessLaw,
    spoiler,
    operator,
    people,
    toldLaw,
    note,
    attempt,
    /** From now on, orders may be there that no list shows yet. */
    ordersMayHide(): void {
      laws.ordersMayHide();
      coverageLaw.mayHide('orders');
      editsLaw.mayHide();
    },
    /** From now on, orders of the ERP and rows of both sides may be otherwise or gone without a sign in reads of changes. */
    mayBeUnseen(): void {
      laws.erpOrdersMayHide();
      coverageLaw.mayHide('orders');
      coverageLaw.mayHide('products');
      editsLaw.mayHide();
    },
    /** The planned faults of the next calls of each side; null: no fault. */
    planned,
    say,
    strike,
    staff,
    together,
    /** Empties Redis. */
    wipe(): void {
      staff.wipeQueues();
      quota?.wipe();
      quotaLaw?.forgetMinute(staff.knowsCallsSinceMs() ?? clock.nowMs());
    },
    /** Ends all faults. */
    endFaults(): void {
      for (const [fault, times] of struckOn(sides)) struck.set(fault, (struck.get(fault) ?? 0) + times);
      planned.marketplace = [];
      planned.erp = [];
      staff.killAfter(null);
      rowsAhead?.disarm();
      sides.marketplace.faults.clear();
      sides.erp.control.clearFaults();
    },
    /** Makes a plan while the program does not run, and then starts the program. */
    async plan() {
      if (staff !== alone) throw new Error('a plan is made of what one program leaves');
      return alone.whileAway(() => {
        const beside: Wire = { program: clock.program(), alive: () => true, ...wire(() => true) };
        return clock.until(planFor({ config, disk, network, governor: governor(), wire: beside }), PLAN_LIMIT_MS);
      });
    },
    /** Puts settings in force under which so many units of each product are kept from buyers. */
    keepBack(units: number, how: 'told' | 'killed'): void {
      alone.workUnder(configOf(world, units), how);
    },
    /** The writes in the journal after this entry. */
    journalAfter: (id: number) => writesAfter(disk, id),
    journal: () => ({ written: writesAfter(disk, 0), alerts: alertsIn(disk), relinked: relinkedIn(disk) }),
    judgeRecord: recordLaw.judgeAll,
    allow(approved: Approved): void {
      strike('approved');
      laws.approved(approved);
      toldLaw?.approved(approved);
    },
    close(): void {
      if (laws.broken.length > 0) for (const line of journalOf(disk, START_MS)) tell(line);
    },
  };
}

/** A log that tells everything but what is for debugging. */
export function logOf(say: (line: string) => void): Log {
  const of = (level: string) => (facts: { err?: Error }, message: string) => {
    const { err, ...rest } = facts;
    say(`${level}: ${message} ${JSON.stringify(rest)} ${err?.message ?? ''}`);
  };
  const log = { debug: () => {}, info: of('info'), warn: of('warn'), error: of('error') };
  return log as unknown as Log;
}

/** Sends the marketplace's webhooks. A webhook that is not taken is repeated for a while. */
function createSender(clock: Clock, luck: Chance, receive: Staff['receive']): WebhookSender {
  return {
    start(target, { body }, lateMs) {
      const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('base64');
      const send = (tries: number) => async () => {
        const kind = target.url === 'orders' ? 'orders' : 'products';
        const status = await receive(kind, { 'service-signature': signature }, body);
        if (status !== null && status < 500) return;
        if (tries < 3) clock.after(1_000 * 2 ** tries, send(tries + 1));
      };
      clock.after(lateMs + luck.whole(5, 300), send(0));
    },
    waiting: () => 0,
    settled: async () => {},
    close: async () => {},
  };
}

/** A filter for some rows: such a list says nothing of the other rows. */
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
