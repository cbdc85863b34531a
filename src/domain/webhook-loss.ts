/**
 * Changes seen by polls, compared with the webhooks received, for one kind of entity of one account. All times are by
 * our own clock.
 */
export interface WebhookWatch {
  /** Changes that a poll showed without a webhook so far: time of the poll, by entity. */
  readonly unheard: Readonly<Record<string, number>>;
  /** Webhooks whose change no poll showed so far: time of the webhook, by entity. */
  readonly unseen: Readonly<Record<string, number>>;
  /** Time of the last webhook. null: none yet. */
  readonly heardAtMs: number | null;
  /** Consecutive changes without a webhook, and the time of the first. */
  readonly lostInRow: number;
  readonly firstLostAtMs: number | null;
  /** Since when webhooks count as switched off. null: they arrive. */
  readonly silentSinceMs: number | null;
  /** By hour. */
  readonly hours: readonly { readonly atMs: number; readonly heard: number; readonly lost: number }[];
}

export const NOTHING_WATCHED: WebhookWatch = {
  unheard: {},
  unseen: {},
  heardAtMs: null,
  lostInRow: 0,
  firstLostAtMs: null,
  silentSinceMs: null,
  hours: [],
};

export interface Seen {
  /** New or changed entities, without our own changes. */
  readonly changed: readonly string[];
  /** `entity` null: unknown, or the webhook reports nothing new. */
  readonly deliveries: readonly { readonly entity: string | null; readonly isNews: boolean; readonly atMs: number }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Webhooks arrive within seconds. A later one has no advantage over polls. */
const LATE_MS = 2 * MINUTE_MS;
/** How long a webhook waits for the poll that shows its change. */
const EARLY_MS = 10 * MINUTE_MS;
const DAY_HOURS = 24;
const MAX_WATCHED = 500;
/** Five consecutive changes without a webhook are no accident. After four minutes, two are enough. */
const SILENT_AFTER = 5;
const SILENT_AFTER_FEW = 2;
const SILENT_AFTER_MS = 4 * MINUTE_MS;
/**
 * With polls at least this frequent, silence is detected within ten minutes: a change right after one poll is seen by
 * the next and judged four minutes later. One minute remains for the read and the next check.
 */
export const RAREST_WATCHED_POLL_MS = 5 * MINUTE_MS;

/** Returns the watch after a read at `nowMs`. Between reads, called without changes. */
export function crossMatch(watch: WebhookWatch, { changed, deliveries }: Seen, nowMs: number): WebhookWatch {
  const unheard = new Map(Object.entries(watch.unheard));
  const unseen = new Map(Object.entries(watch.unseen).filter(([, atMs]) => nowMs - atMs < EARLY_MS));
  let { heardAtMs, lostInRow, firstLostAtMs, silentSinceMs } = watch;
  let heard = 0;
  for (const { entity, isNews, atMs } of deliveries) {
    heardAtMs = Math.max(heardAtMs ?? atMs, atMs);
    [lostInRow, firstLostAtMs, silentSinceMs] = [0, null, null];
    const seenAtMs = entity === null ? undefined : unheard.get(entity);
    if (entity === null) continue;
    if (seenAtMs !== undefined && atMs - seenAtMs < LATE_MS) {
      unheard.delete(entity);
      heard += 1;
    } else if (isNews && unseen.size < MAX_WATCHED) unseen.set(entity, atMs);
  }
  for (const entity of changed) {
    if (unseen.delete(entity)) heard += 1;
    else if (!unheard.has(entity) && unheard.size < MAX_WATCHED) unheard.set(entity, nowMs);
  }
  const lost = [...unheard].filter(([, seenAtMs]) => nowMs - seenAtMs >= LATE_MS);
  for (const [entity, seenAtMs] of lost) {
    unheard.delete(entity);
    if (heardAtMs !== null && seenAtMs < heardAtMs) continue;
    lostInRow += 1;
    firstLostAtMs = Math.min(firstLostAtMs ?? seenAtMs, seenAtMs);
  }
  if (heardAtMs !== null && isSilent(lostInRow, firstLostAtMs, nowMs)) silentSinceMs ??= nowMs;
  const hours = counted(watch.hours, { heard, lost: lost.length }, nowMs);
  const [waiting, early] = [Object.fromEntries(unheard), Object.fromEntries(unseen)];
  return { unheard: waiting, unseen: early, heardAtMs, lostInRow, firstLostAtMs, silentSinceMs, hours };
}

/** Returns the watch after the program was stopped, when webhooks may have been missed. A silent kind stays silent. */
export function watchAfterBreak(watch: WebhookWatch, nowMs: number): WebhookWatch {
  const waiting = Object.entries(watch.unheard).filter(([, seenAtMs]) => Math.abs(nowMs - seenAtMs) < LATE_MS);
  const after = { ...watch, unheard: Object.fromEntries(waiting) };
  return watch.silentSinceMs === null ? { ...after, lostInRow: 0, firstLostAtMs: null } : after;
}

function isSilent(lostInRow: number, firstLostAtMs: number | null, nowMs: number): boolean {
  if (lostInRow >= SILENT_AFTER) return true;
  return lostInRow >= SILENT_AFTER_FEW && firstLostAtMs !== null && nowMs - firstLostAtMs >= SILENT_AFTER_MS;
}

function counted(
  hours: WebhookWatch['hours'],
  { heard, lost }: { heard: number; lost: number },
  nowMs: number,
): WebhookWatch['hours'] {
  const atMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const kept = hours.filter((hour) => Math.abs(atMs - hour.atMs) < DAY_HOURS * HOUR_MS);
  if (heard + lost === 0) return kept;
  const now = kept.find((hour) => hour.atMs === atMs) ?? { atMs, heard: 0, lost: 0 };
  return [...kept.filter((hour) => hour !== now), { atMs, heard: now.heard + heard, lost: now.lost + lost }];
}

/** How long webhooks have counted as switched off. null: they arrive. */
export function silenceMs({ silentSinceMs }: WebhookWatch, nowMs: number): number | null {
  return silentSinceMs === null ? null : Math.max(0, nowMs - silentSinceMs);
}

/** The last day's changes seen by polls, and how many had no webhook in time. `ratio` null: no changes. */
export function lossOf(watch: WebhookWatch): { changes: number; lost: number; ratio: number | null } {
  const lost = watch.hours.reduce((total, hour) => total + hour.lost, 0);
  const changes = watch.hours.reduce((total, hour) => total + hour.heard, lost);
  return { changes, lost, ratio: changes === 0 ? null : lost / changes };
}

/** The poll interval is halved this often. */
const HALVING_MS = MINUTE_MS;
/** While webhooks are silent, polls of one kind use at most this share of the quota. */
const QUOTA_SHARE = 0.1;

/**
 * Returns the time until the next poll. While webhooks are silent, the configured interval is halved again each minute,
 * as far as the quota allows.
 */
export function pollAfterMs(
  everyMs: number,
  { perSecond, perMinute }: { readonly perSecond: number; readonly perMinute: number },
  silentForMs: number | null,
): number {
  if (silentForMs === null) return everyMs;
  const floorMs = MINUTE_MS / (QUOTA_SHARE * Math.min(perMinute, 60 * perSecond));
  const halvings = 1 + Math.floor(Math.max(0, silentForMs) / HALVING_MS);
  return Math.min(everyMs, Math.max(floorMs, everyMs / 2 ** Math.min(halvings, 30)));
}
