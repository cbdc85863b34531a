import { isDecided } from '../../domain/brake.ts';
import type { UnmeasuredMove } from '../../domain/causes/writes.ts';
import { DAY_MS } from '../../domain/day.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { isDead, rankOf } from '../../domain/status.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { FLOWS, type FlowName } from '../flows.ts';
import type { Planned } from './decision.ts';
import { areFirstLinked } from './first-links.ts';
import { pausedBy } from './paused.ts';
import type { WaitingWrite } from './plan-cache.ts';
import { type Braked, type BrakeKind, type BrakeState, isCounted, type Policy, plannedWrite } from './policy.ts';
import { waitingWrites } from './waiting-writes.ts';

/** Writes within this time count as one pass. By default, no side takes longer to show changes that belong together. */
const PASS_MS = 15 * 60 * 1000;

interface Subject {
  readonly flow: FlowName;
  readonly key: string;
  /** An operator requested this write although its flow is paused. */
  readonly passesPauses?: boolean | undefined;
}

/**
 * Reads the pauses, brakes and limits for this write.
 * @param waiting all waiting braked writes of the flow
 */
export async function observePolicy(
  context: AccountRecords,
  subject: Subject,
  dryRun: boolean,
  action: Planned & Braked,
  waiting: () => Promise<readonly WaitingWrite[]> = () => waitingWrites(context, subject.flow),
): Promise<Policy> {
  const paused = subject.passesPauses === true ? null : await pausedBy(context, subject.flow);
  const kind = action.brake;
  const isJudged = kind !== undefined && !dryRun && paused === null;
  return { dryRun, paused, brake: isJudged ? await observeBrake(context, subject, action, kind, waiting) : null };
}

async function observeBrake(
  context: AccountRecords,
  { flow, key }: Subject,
  action: Planned & Braked,
  kind: BrakeKind,
  waiting: () => Promise<readonly WaitingWrite[]>,
): Promise<BrakeState> {
  const { account, config, store, now } = context;
  const limits = config.brakes[kind];
  const pool = { account, flow, kind };
  const items = await store.brakes.itemsOf(account, flow, key);
  const item = items.find((one) => one.action === action.action && one.target === action.target) ?? null;
  const isSame = item?.after === plannedWrite(action).after;
  const isSettled = item !== null && isSame && isDecided(item, now());
  const holdingAll = await store.brakes.holdingAll(pool);
  // Before the first links, more writes may still join the waiting ones. Judged one by one, as many as the limit allows
  // would be made. So `isUnlinked` is read before the waiting writes.
  const isUnlinked =
    isCounted(kind, limits) && FLOWS[flow].brakes?.onceLinked === true && !(await areFirstLinked(context));
  const isOpen = isCounted(kind, limits) && !isSettled && !isUnlinked && holdingAll === null;
  const others = isOpen ? await othersOf(context, pool, { key, action }, await waiting()) : [];
  const counted = isOpen ? await writtenOf(context, FLOWS[flow].brakes?.counts[kind] ?? []) : [];
  // A confirming repetition counts as the same write.
  const again = new Set([action, ...others].map(({ target, after }) => `${target}\0${after}`));
  const written = counted.filter(({ target, after }) => !again.has(`${target}\0${after}`));
  const inPass = written.filter(({ atMs }) => atMs >= now() - PASS_MS);
  return {
    pass: { limit: limits.pass, written: inPass.length, movedPercent: action.changePercent ?? null },
    day: { limit: limits.day, written: written.length, movedPercent: await movedInDay(context, flow, key, action) },
    others,
    of: isOpen ? await wholeOf(context, flow, kind, written.length) : 0,
    isUnlinked,
    holdingAll,
    item: item === null ? null : { ...item, same: isSame, decided: isDecided(item, now()) },
  };
}

async function writtenOf({ account, store, now }: AccountRecords, actions: readonly string[]) {
  const sinceMs = now() - DAY_MS;
  return (await Promise.all(actions.map((action) => store.journal.written(account, action, sinceMs)))).flat();
}

/** The other waiting writes, without those that an operator has decided. */
async function othersOf(
  { store }: AccountRecords,
  pool: { account: string; flow: FlowName; kind: BrakeKind },
  own: { key: string; action: Planned },
  waiting: readonly WaitingWrite[],
): Promise<WaitingWrite[]> {
  const decided = new Set((await store.brakes.decided(pool)).map((item) => nameOf(item) + item.after));
  const ownName = nameOf({ ...own.action, key: own.key });
  return waiting.filter(
    (write) => write.kind === pool.kind && nameOf(write) !== ownName && !decided.has(nameOf(write) + write.after),
  );
}

function nameOf({ key, action, target }: { key: string; action: string; target: string }): string {
  return `${key}\0${action}\0${target}\0`;
}

/** The change since the price of a day ago, whatever the prices in between. */
async function movedInDay(
  { account, store, now }: AccountRecords,
  flow: FlowName,
  key: string,
  { brake, priceAmount, changePercent }: Braked,
): Promise<Decimal | UnmeasuredMove | null> {
  const [written] = FLOWS[flow].brakes?.counts.price ?? [];
  if (brake !== 'price' || written === undefined || priceAmount === undefined) return null;
  const before = await store.brakes.priceBefore(account, flow, key, written, now() - DAY_MS);
  const amount = before === null ? null : parseDecimal(before.split(' ')[0] ?? '');
  if (amount === null || amount.isZero()) return changePercent ?? null;
  return priceAmount.minus(amount).dividedBy(amount).times(100);
}

/**
 * The total for percentage limits.
 * @param written counted too: rejected orders were open before
 */
async function wholeOf(
  { account, store }: AccountRecords,
  flow: FlowName,
  kind: BrakeKind,
  written: number,
): Promise<number> {
  // Creates are a share of the ERP's products, because a marketplace may begin without listings.
  if (kind === 'create') return (await store.erp.missingFrom(account, 0)).sold;
  const shareOf = FLOWS[flow].brakes?.shareOf ?? 'listings';
  if (shareOf === 'customers') return store.customers.count(account);
  if (shareOf === 'listings') return store.products.count(account);
  const open = (await store.orders.byStatus(account)).filter(({ status }) => !isDead(status) && rankOf(status) !== 5);
  return open.reduce((total, { count }) => total + count, written);
}
