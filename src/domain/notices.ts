/** What a message is about: all cases of one code together. */
export interface Concern {
  readonly kind: string;
  readonly about: string;
  readonly code: string;
  readonly count: number;
}

/** A concern that is on record, because it stands or has stood a moment ago. */
export interface Notice extends Concern {
  /** Since when it stands. */
  readonly sinceMs: number;
  /** Its opening was told. */
  readonly told: boolean;
  /** Since when it stands no more; null: it stands. */
  readonly goneSinceMs: number | null;
}

export interface Told {
  readonly event: 'opened' | 'closed';
  readonly concern: Concern;
}

/** A concern that comes and goes within this time is not told: whatever waits that briefly has gone on by itself. */
export const SETTLE_MS = 60_000;

/** About the same thing, whatever its count. */
export const same = (one: Omit<Concern, 'count'>) => (other: Concern) =>
  one.kind === other.kind && one.about === other.about && one.code === other.code;

/**
 * What is told of the concerns that stand now, after those on record: one message when one opens and one when it closes,
 * each once it has lasted.
 */
export function noticesAfter(
  before: readonly Notice[],
  standing: readonly Concern[],
  nowMs: number,
): { readonly notices: Notice[]; readonly told: Told[] } {
  // A date in the future means now.
  const since = (atMs: number) => Math.min(atMs, nowMs);
  const lasted = (sinceMs: number) => nowMs - sinceMs >= SETTLE_MS;
  const told: Told[] = [];
  const open = standing.map((concern): Notice => {
    const known = before.find(same(concern));
    const sinceMs = since(known?.sinceMs ?? nowMs);
    const wasTold = known?.told ?? false;
    if (!wasTold && lasted(sinceMs)) told.push({ event: 'opened', concern });
    return { ...concern, sinceMs, told: wasTold || lasted(sinceMs), goneSinceMs: null };
  });
  const gone = before.flatMap((notice): Notice[] => {
    if (!notice.told || standing.some(same(notice))) return [];
    const goneSinceMs = since(notice.goneSinceMs ?? nowMs);
    if (!lasted(goneSinceMs)) return [{ ...notice, goneSinceMs }];
    told.push({ event: 'closed', concern: notice });
    return [];
  });
  return { notices: [...open, ...gone], told };
}
