import { SIDE_NAMES, SIDES } from '../daemon/worker/health.ts';
import type { Side } from '../domain/failure.ts';
import { awaySince, refusesCredentials } from '../shadow/alerts.ts';
import type { Store } from '../store/store.ts';

/** A side that does not answer or rejects our credentials. Meanwhile the account's work stops. */
export interface Away {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** It answers, but rejects our credentials. */
  readonly refuses?: true;
}

/** The side that is away, or the first of both; null: none. */
export async function awayOf(account: string, store: Pick<Store, 'facts'>): Promise<Away | null> {
  const sides = await Promise.all(
    SIDES.map(async (side) => ({ side, sinceMs: await awaySince({ account, store }, side) })),
  );
  const away = sides.flatMap(({ side, sinceMs }) => (sinceMs === null ? [] : [{ side, sinceMs }]));
  const first = away.toSorted((one, other) => one.sinceMs - other.sinceMs)[0] ?? null;
  return first !== null && (await refusesCredentials({ account, store }, first.side))
    ? { ...first, refuses: true }
    : first;
}

/** Whether a reason for "not ready" is about this side of the account. */
export function isAboutSide(reason: string, account: string, side: string): boolean {
  return SIDES.some((one) => one === side && reason.startsWith(`${account}: ${SIDE_NAMES[one]} `));
}

/** Why a case cannot be looked at now, to end a sentence. */
export function awayText(away: Away): string {
  return `cannot be looked at: ${sideText(away)}`;
}

/** In a shop's words, without the time. */
export function shopSideText({ side, refuses }: Away): string {
  return `${SIDE_NAMES[side]} ${refuses === true ? 'rejects our key' : 'does not answer'}`;
}

export function sideText({ side, sinceMs, refuses }: Away): string {
  const since = new Date(sinceMs).toISOString().replace('T', ' ').replace(/\.\d+/, '');
  return `${SIDE_NAMES[side]} ${refuses === true ? 'refuses our credentials' : 'is away'} since ${since}`;
}
