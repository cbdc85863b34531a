import { type Cause, cause, sentenceOf } from '../domain/causes/cause.ts';
import type { Side } from '../domain/failure.ts';
import type { Window } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import { PageError, StoreError } from '../store/store-error.ts';
import type { AccountRecords } from './context.ts';

const ALERT = 'alert:';

/** For reading an alert together with other facts. */
export function alertFact(name: string): string {
  return ALERT + name;
}

interface Account {
  readonly account: string;
  readonly store: Pick<Store, 'facts'>;
}

/** Sets an alert, or ends it if there is no cause. Returns whether anything changed. */
export async function setAlert({ account, store }: Account, name: string, causes: readonly Cause[]): Promise<boolean> {
  const text = causes.length === 0 ? null : JSON.stringify(causes);
  if (text === (await store.facts.get(account, ALERT + name))) return false;
  if (text === null) await store.facts.clear(account, ALERT + name);
  else await store.facts.set(account, ALERT + name, text);
  return true;
}

/** Records the read of a full list. A list that is not credible raises an alert until one is. */
export async function recordFullRead(
  { account, store }: Pick<AccountRecords, 'account' | 'store'>,
  window: Omit<Window, 'account' | 'from' | 'finding'>,
  doubt: Cause | null,
  alert: string,
): Promise<void> {
  await store.cursors.record({ account, from: null, ...window, finding: doubt === null ? null : sentenceOf(doubt) });
  await setAlert({ account, store }, alert, doubt === null ? [] : [doubt]);
}

/** A failing read raises an alert until it succeeds, because changes go unnoticed meanwhile. */
export async function setReadAlert(account: Account, name: string, problem: Cause | null): Promise<void> {
  await setAlert(account, name, problem === null ? [] : [problem]);
}

/** Why a read fails. A faulty row is set aside and never fails a read. */
export function causeOfRead(error: unknown): Cause {
  const problem = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreError) return cause('store-failing', { problem });
  if (error instanceof PageError) return cause('every-row-fails', { problem });
  return cause('read-failing', { problem });
}

const STOPS = ['store-failing', 'every-row-fails'] as const;

/** Reads stopped by the database or by our own code, with the code of their cause. */
export async function readsStoppedHere(account: Account): Promise<{ name: string; by: (typeof STOPS)[number] }[]> {
  const alerts = await alertsOf(account);
  return alerts.flatMap(({ name, causes }) =>
    STOPS.filter((by) => causes.some(({ code }) => code === by)).map((by) => ({ name, by })),
  );
}

/** Raises an alert while a side does not answer or rejects our credentials. Any process may detect it. */
export async function noteSide(
  account: Account,
  side: Side,
  fault: { readonly kind: 'unavailable' | 'credentials'; readonly message: string } | null,
  nowMs = Date.now(),
): Promise<void> {
  const causes = fault === null ? [] : [cause(`${side}-${fault.kind}`, { message: fault.message })];
  await setAlert(account, `${side}:connection`, causes);
  const since = await awaySince(account, side);
  if (fault === null && since !== null) await account.store.facts.clear(account.account, AWAY + side);
  if (fault !== null && since === null) await account.store.facts.set(account.account, AWAY + side, String(nowMs));
}

const UNTRUE_TOLD_MS = 60 * 60_000;

/**
 * Redis held impossible quota figures. The alert ends an hour later.
 * @param agoMs time since then; null: it held none
 */
export async function noteQuota(account: Account, agoMs: number | null): Promise<void> {
  await setAlert(account, 'quota:untrue', agoMs !== null && agoMs < UNTRUE_TOLD_MS ? [cause('quota-untrue')] : []);
}

/** Prefix of facts that store since when a side is away, so that a restart keeps the time. */
const AWAY = 'away:';

/** Epoch milliseconds since when the side does not answer or rejects our credentials. null: it is not away. */
export async function awaySince({ account, store }: Account, side: Side): Promise<number | null> {
  const since = await store.facts.get(account, AWAY + side);
  return since === null ? null : Number(since);
}

/** Returns whether a side that is away answers, but rejects our credentials. */
export async function refusesCredentials(account: Account, side: Side): Promise<boolean> {
  return (await alertOf(account, `${side}:connection`)).some(({ code }) => code === `${side}-credentials`);
}

/**
 * Raises an alert while a side demands a long wait (Retry-After).
 * @param waitMs null: it answered
 */
export async function noteWait(account: Account, side: 'marketplace' | 'erp', waitMs: number | null): Promise<void> {
  const code = side === 'erp' ? 'erp-wait-ordered' : 'wait-ordered';
  await setAlert(
    account,
    `${side}:wait`,
    waitMs === null ? [] : [cause(code, { minutes: Math.floor(waitMs / 60_000) })],
  );
}

/**
 * Raises an alert while a side answers slowly.
 * @param tookMs null: its answers are fast
 */
export async function noteSlow(account: Account, side: 'marketplace' | 'erp', tookMs: number | null): Promise<void> {
  const causes = tookMs === null ? [] : [cause(`${side}-slow`, { seconds: Math.round(tookMs / 1_000) })];
  await setAlert(account, `${side}:slow`, causes);
}

export async function alertOf({ account, store }: Account, name: string): Promise<Cause[]> {
  return read((await store.facts.get(account, ALERT + name)) ?? '[]');
}

/** All alerts by name: `stock:P-17` concerns the stock of P-17. */
export async function alertsOf({ account, store }: Account): Promise<{ name: string; causes: Cause[] }[]> {
  const facts = await store.facts.startingWith(account, ALERT);
  return facts.map(({ name, value }) => ({ name: name.slice(ALERT.length), causes: read(value) }));
}

function read(value: string): Cause[] {
  return JSON.parse(value) as Cause[];
}
