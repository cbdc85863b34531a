/** The last day of an account in samples of five minutes. */
export interface Sample {
  /** The beginning of these five minutes: epoch milliseconds, a multiple of `SAMPLE_MS`. */
  readonly atMs: number;
  /** The highest share of a minute's calls that was in use, 0 to 1; null: nobody could say. */
  readonly quota: number | null;
  /** The writes that brought orders into the ERP. */
  readonly ordersIn: number;
  /** The writes that told the marketplace of orders: of new ones and of new statuses. */
  readonly ordersOut: number;
  /** The longest time by which a list was later than expected. */
  readonly lateMs: number;
  /** The longest time that a change had waited. */
  readonly waitedMs: number;
  /** The share of the day's changes that no webhook had told of, 0 to 1; null: without webhooks or changes. */
  readonly webhookLoss: number | null;
  /** Listings that showed other figures than the program expected. */
  readonly drift: number;
  /**
   * The lists that were late, each with the longest time since its last read; null: it was never read. Left out: the sample is older
   * than this record.
   */
  readonly late?: Readonly<Record<string, number | null>>;
}

type Late = NonNullable<Sample['late']>;

/** The figures of the present five minutes, and the counts that arrived after the last look at the five minutes before. */
export interface DayRead {
  readonly levels: Pick<Sample, 'quota' | 'lateMs' | 'waitedMs' | 'webhookLoss'> & { readonly late: Late };
  readonly counts: SampleCounts;
  readonly countsBefore: SampleCounts;
}

export type SampleCounts = Pick<Sample, 'ordersIn' | 'ordersOut' | 'drift'>;

export const DAY_MS = 24 * 60 * 60_000;
export const SAMPLE_MS = 5 * 60_000;
/** The number of samples in a day. */
export const SAMPLES_KEPT = DAY_MS / SAMPLE_MS;

export function sampleBegan(nowMs: number): number {
  return Math.floor(nowMs / SAMPLE_MS) * SAMPLE_MS;
}

/** The day after a look at `nowMs`, oldest first: never more than a day, nothing from the future, each five minutes once. */
export function withLook(day: readonly Sample[], { levels, counts, countsBefore }: DayRead, nowMs: number): Sample[] {
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

/** A part of the last day in which a list was not read in time. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  /** stopped: nothing ran. */
  readonly why: 'late' | 'stopped';
  /** The longest time since the last read; null: it was never read, or nothing ran. */
  readonly ageMs: number | null;
}

/** The gaps in the reads of a list, oldest first, and since when they are on record; null: they are not. */
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
