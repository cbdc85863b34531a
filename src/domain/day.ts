/** Figures of five minutes. */
export interface Sample {
  /** Start: epoch milliseconds, a multiple of `SAMPLE_MS`. */
  readonly atMs: number;
  /** The highest used share of the calls per minute, 0 to 1. null: unknown. */
  readonly quota: number | null;
  /** Writes that created orders in the ERP. */
  readonly ordersIn: number;
  /** Writes that sent orders or statuses to the marketplace. */
  readonly ordersOut: number;
  /** The longest delay of a list. */
  readonly lateMs: number;
  /** The longest wait of a change. */
  readonly waitedMs: number;
  /** The share of the day's changes without a webhook, 0 to 1. null: no webhooks or no changes. */
  readonly webhookLoss: number | null;
  readonly drift: number;
  /**
   * Late lists with the longest time since their last read. null: never read. Omitted in samples of earlier versions.
   */
  readonly late?: Readonly<Record<string, number | null>>;
}

type Late = NonNullable<Sample['late']>;

/** Figures of the current five minutes, and late counts for the five minutes before. */
export interface DayRead {
  readonly levels: Pick<Sample, 'quota' | 'lateMs' | 'waitedMs' | 'webhookLoss'> & { readonly late: Late };
  readonly counts: SampleCounts;
  readonly countsBefore: SampleCounts;
}

export type SampleCounts = Pick<Sample, 'ordersIn' | 'ordersOut' | 'drift'>;

export const DAY_MS = 24 * 60 * 60_000;
export const SAMPLE_MS = 5 * 60_000;
export const SAMPLES_KEPT = DAY_MS / SAMPLE_MS;

export function sampleBegan(nowMs: number): number {
  return Math.floor(nowMs / SAMPLE_MS) * SAMPLE_MS;
}

/**
 * Returns the samples of the last day, oldest first, with the current figures merged in. Drops samples from the future,
 * which come from a clock that was set back.
 */
export function withSample(day: readonly Sample[], { levels, counts, countsBefore }: DayRead, nowMs: number): Sample[] {
  const atMs = sampleBegan(nowMs);
  const kept = day
    .filter((sample) => sample.atMs < atMs && sample.atMs > atMs - DAY_MS)
    .map((sample) => (sample.atMs === atMs - SAMPLE_MS ? { ...sample, ...countsBefore } : sample));
  const earlier = day.find((sample) => sample.atMs === atMs);
  return [
    ...kept,
    {
      atMs,
      ...counts,
      quota: highest(earlier?.quota ?? null, levels.quota),
      lateMs: Math.max(earlier?.lateMs ?? 0, levels.lateMs),
      waitedMs: Math.max(earlier?.waitedMs ?? 0, levels.waitedMs),
      webhookLoss: levels.webhookLoss,
      late: latest(earlier?.late ?? {}, levels.late),
    },
  ];
}

function latest(earlier: Late, now: Late): Late {
  const ages = Object.entries(now).map(([list, ageMs]) => [list, highest(earlier[list] ?? null, ageMs)]);
  return { ...earlier, ...(Object.fromEntries(ages) as Late) };
}

/** A period of the last day in which a list was not read in time. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  /** `stopped`: the program did not run. */
  readonly why: 'late' | 'stopped';
  /** The longest time since the last read. null: never read, or the program did not run. */
  readonly ageMs: number | null;
}

/** Returns a list's gaps, oldest first, and the time since which gaps are recorded. null: no sample records them. */
export function gapsOf(
  day: readonly Sample[],
  list: string,
  nowMs: number,
): { readonly sinceMs: number; readonly gaps: readonly Gap[] } | null {
  const known = day.filter(({ late }) => late !== undefined);
  const [first] = known;
  if (first === undefined) return null;
  const sinceMs = Math.max(first.atMs, sampleBegan(nowMs) - DAY_MS + SAMPLE_MS);
  const samples = new Map(known.map((sample) => [sample.atMs, sample]));
  const gaps: Gap[] = [];
  for (let fromMs = sinceMs; fromMs < nowMs; fromMs += SAMPLE_MS) {
    const late = samples.get(fromMs)?.late;
    const isJustBegun = late === undefined && fromMs === sampleBegan(nowMs);
    if (isJustBegun || (late !== undefined && !Object.hasOwn(late, list))) continue;
    const toMs = Math.min(fromMs + SAMPLE_MS, nowMs);
    const gap: Gap = { fromMs, toMs, why: late === undefined ? 'stopped' : 'late', ageMs: late?.[list] ?? null };
    const last = gaps.at(-1);
    if (last?.toMs !== fromMs || last.why !== gap.why) gaps.push(gap);
    else gaps[gaps.length - 1] = { ...gap, fromMs: last.fromMs, ageMs: highest(last.ageMs, gap.ageMs) };
  }
  return { sinceMs, gaps };
}

function highest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
