import type { SentStatus } from '../../../domain/order-base.ts';
import type { Statuses } from '../../../domain/status-moves.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import { lastRead } from '../../../shadow/last-read.ts';

/* A status is stored before it is sent, like lines, because a person may revert it before the answer arrives. */

interface Step {
  readonly to: SentStatus['to'];
  readonly statuses: Statuses;
}

/** The order's status on the side to write, read right before the write. */
type Shown = Pick<SentStatus, 'from' | 'changedAt'>;

export async function expectStatus(context: AccountRecords, number: string, step: Step, shown: Shown): Promise<void> {
  const record = await loadBase(context, number);
  const statusSent = { ...step, ...shown, atMs: context.now() };
  await context.store.bases.save(context.account, number, { ...record, statusSent });
}

/** Called if the write was certainly not applied, or had no effect. */
export async function forgetStatus(context: AccountRecords, number: string): Promise<void> {
  const { statusSent, ...record } = await loadBase(context, number);
  if (statusSent !== undefined) await context.store.bases.save(context.account, number, record);
}

/**
 * Detects that an earlier status write without an answer was applied, and then reverted by a person. If so, stores its
 * status as agreed and returns true. Evidence: the order changed since that write, but shows the earlier status.
 */
export async function wasSetBack(context: AccountRecords, number: string, step: Step, shown: Shown): Promise<boolean> {
  const { statusSent: sent, agreed, ...rest } = await loadBase(context, number);
  if (sent === undefined || sent.to !== step.to || sent.statuses[sent.to] !== step.statuses[sent.to]) return false;
  if (shown.from !== sent.from || shown.changedAt === sent.changedAt || agreed === null) return false;
  await context.store.bases.save(context.account, number, { ...rest, agreed: { ...agreed, statuses: sent.statuses } });
  return true;
}

async function loadBase({ account, store }: AccountRecords, number: string) {
  return (await store.bases.get(account, number)) ?? { agreed: null, sent: null };
}

/**
 * How long a sent status that its side does not show may still be applied, in milliseconds. null: it shows, or that
 * side was read after the settle time.
 */
export async function unsettledMs(
  context: AccountRecords,
  sent: SentStatus | undefined,
  now: Partial<Statuses>,
): Promise<number | null> {
  if (sent === undefined || now[sent.to] === sent.statuses[sent.to]) return null;
  const { account, config, store } = context;
  const [settleMs, pollMs, readAtMs] =
    sent.to === 'erp'
      ? [2 * config.erp.timeoutMs, config.erp.pollMs, (await store.cursors.get(account, 'erp-orders'))?.updatedAtMs]
      : [2 * config.marketplace.timeoutMs, config.marketplace.poll.ordersMs, (await lastRead(context, 'orders'))?.atMs];
  const settledAtMs = sent.atMs + settleMs;
  if (readAtMs !== undefined && readAtMs > settledAtMs + (sent.to === 'erp' ? config.erp.timeoutMs : 0)) return null;
  return Math.max(settledAtMs - context.now(), 0) + pollMs;
}
