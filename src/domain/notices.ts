/** The subject of a message: all cases of one cause. */
export interface Concern {
  readonly kind: string;
  /** The flow or list of the cases, or the name of their group. */
  readonly about: string;
  readonly code: string;
  readonly count: number;
}

export interface StandingConcern extends Concern {
  /** The flows or lists of all its cases. */
  readonly of: readonly string[];
}

/** Removes any additional fields. */
export const concernOf = ({ kind, about, code, count, of }: StandingConcern): StandingConcern => ({
  kind,
  about,
  code,
  count,
  of,
});

/** A recorded concern, open or recently closed. */
export interface Notice extends Concern {
  readonly sinceMs: number;
  /** Whether a message was sent about its start. */
  readonly told: boolean;
  /** The time at which it ended. null: open. */
  readonly goneSinceMs: number | null;
}

export interface ConcernChange {
  readonly event: 'opened' | 'closed';
  readonly concern: Concern;
}

/** A concern that ends within this time sends no message, because nobody had to act. */
export const SETTLE_MS = 60_000;

export const same = (one: Omit<Concern, 'count'>) => (other: Concern) =>
  one.kind === other.kind && one.about === other.about && one.code === other.code;

/** The flows and lists of an account whose state is currently known (`seen`) or not (`unseen`). */
export interface Sight {
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
  /** A side does not answer, so no state can be checked. */
  readonly isAway: boolean;
}

/** Kinds of cases that end only when their entity is checked again. */
const FOUND_BY_LOOKS: readonly string[] = ['held', 'failed', 'pending', 'in doubt'];

/**
 * Returns whether it is currently unknown if a concern is still open.
 * @param of the flows or lists of its cases; empty for a concern that is only recorded
 */
function isUnseen({ kind, about }: Concern, of: readonly string[], { seen, unseen, isAway }: Sight): boolean {
  if (unseen.includes(about)) return kind !== 'brake';
  if (seen.includes(about) || !FOUND_BY_LOOKS.includes(kind)) return false;
  // A cause shared by several flows is known while one of the flows is.
  return of.length === 0 ? isAway : of.every((one) => unseen.includes(one));
}

/**
 * Compares recorded with open concerns. Returns the new record and the messages to send: one when a concern opens and
 * one when it closes, each after the state has lasted `SETTLE_MS`. A concern whose state is unknown keeps its recorded
 * state.
 */
export function noticesAfter(
  before: readonly Notice[],
  standing: readonly StandingConcern[],
  sight: Sight,
  nowMs: number,
): { readonly notices: Notice[]; readonly told: ConcernChange[] } {
  // A time in the future is treated as now.
  const since = (atMs: number) => Math.min(atMs, nowMs);
  const lasted = (sinceMs: number) => nowMs - sinceMs >= SETTLE_MS;
  const told: ConcernChange[] = [];
  const open = standing.flatMap((concern): Notice[] => {
    const known = before.find(same(concern));
    const wasTold = known?.told ?? false;
    if (!wasTold && isUnseen(concern, concern.of, sight)) return [];
    const sinceMs = since(known?.sinceMs ?? nowMs);
    if (!wasTold && lasted(sinceMs)) told.push({ event: 'opened', concern });
    const { of: _of, ...own } = concern;
    return [{ ...own, sinceMs, told: wasTold || lasted(sinceMs), goneSinceMs: null }];
  });
  const gone = before.flatMap((notice): Notice[] => {
    if (!notice.told || standing.some(same(notice))) return [];
    if (isUnseen(notice, [], sight)) return [{ ...notice, goneSinceMs: null }];
    const goneSinceMs = since(notice.goneSinceMs ?? nowMs);
    if (!lasted(goneSinceMs)) return [{ ...notice, goneSinceMs }];
    told.push({ event: 'closed', concern: notice });
    return [];
  });
  return { notices: [...open, ...gone], told };
}
