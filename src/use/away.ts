import { SIDE_NAMES, SIDES } from '../daemon/worker/health.ts';
import type { Side } from '../domain/failure.ts';
import { awaySince, refusesCredentials } from '../shadow/alerts.ts';
import type { Store } from '../store/store.ts';

/** A side that does not answer or refuses the credentials. Meanwhile nothing of the account is looked at. */
export interface Away {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** The side answers, but rejects our credentials. */
  readonly refuses?: true;
}

/** The side of the account that is away; of several, the one that left first. null: none is. */
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

/** Does a reason by which the daemon is not ready tell that this side of the account is away? */
export function tellsOfSide(reason: string, account: string, side: string): boolean {
  return SIDES.some((one) => one === side && reason.startsWith(`${account}: ${SIDE_NAMES[one]} `));
}

/** Why a case cannot be looked at now, as the end of a sentence about it. */
export function awayText(away: Away): string {
  return `cannot be looked at: ${sideText(away)}`;
}

/** The same in the words of a shop, without the time. */
export function sideInShop({ side, refuses }: Away): string {
  return `${SIDE_NAMES[side]} ${refuses === true ? 'rejects our key' : 'does not answer'}`;
}

export function sideText({ side, sinceMs, refuses }: Away): string {
  const since = new Date(sinceMs).toISOString().replace('T', ' ').replace(/\.\d+/, '');
  return `${SIDE_NAMES[side]} ${refuses === true ? 'refuses our credentials' : 'is away'} since ${since}`;
}
