/** The subject of a message: all cases of one cause together. */
export interface Concern {
  readonly kind: string;
  /** The flow or the list of the cases, or what they share. */
  readonly about: string;
  readonly code: string;
  readonly count: number;
}

/** A concern that stands now. */
export interface StandingConcern extends Concern {
  /** The flows or the lists of the cases, also where they share a cause. */
  readonly of: readonly string[];
}

/** The concern alone, of something that tells more of it. */
export const concernOf = ({ kind, about, code, count, of }: StandingConcern): StandingConcern => ({
  kind,
  about,
  code,
  count,
  of,
});

/** A concern on record. It stands now, or stood a moment ago. */
export interface Notice extends Concern {
  /** The time at which it began. */
  readonly sinceMs: number;
  /** Whether a message has told people that the concern began. */
  readonly told: boolean;
  /** The time at which it ended; null: it still stands. */
  readonly goneSinceMs: number | null;
}

export interface Told {
  readonly event: 'opened' | 'closed';
  readonly concern: Concern;
}

/** No message is sent about a concern that begins and ends within this time, because nobody had to act. */
export const SETTLE_MS = 60_000;

/** Are the two concerns about the same thing? Their counts may differ. */
export const same = (one: Omit<Concern, 'count'>) => (other: Concern) =>
  one.kind === other.kind && one.about === other.about && one.code === other.code;

/** The flows and lists of an account, by whether they can be looked at now. */
export interface Sight {
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
  /** A side does not answer, so nothing can be looked at. */
  readonly isAway: boolean;
}

/** The kinds whose cases stand until a look finds another result. */
const FOUND_BY_LOOKS: readonly string[] = ['held', 'failed', 'pending', 'in doubt'];

/**
 * Can nobody know now whether such a concern stands?
 * @param of the flows or the lists of its cases; none of a concern that is on record alone
 */
function isUnseen({ kind, about }: Concern, of: readonly string[], { seen, unseen, isAway }: Sight): boolean {
  if (unseen.includes(about)) return kind !== 'brake';
  if (seen.includes(about) || !FOUND_BY_LOOKS.includes(kind)) return false;
  // A cause that several flows share: it can be looked at as long as one of them can.
  return of.length === 0 ? isAway : of.every((one) => unseen.includes(one));
}

/**
 * Compares the concerns on record with the concerns that stand now. Answers the new record and the messages to send. A concern
 * has one message when it opens and one when it closes. Each is sent after the new state has lasted for `SETTLE_MS`, in which the
 * concern could be looked at: a concern that cannot be stays as it was told last.
 */
export function noticesAfter(
  before: readonly Notice[],
  standing: readonly StandingConcern[],
  sight: Sight,
  nowMs: number,
): { readonly notices: Notice[]; readonly told: Told[] } {
  // A date in the future means now.
  const since = (atMs: number) => Math.min(atMs, nowMs);
  const lasted = (sinceMs: number) => nowMs - sinceMs >= SETTLE_MS;
  const told: Told[] = [];
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
