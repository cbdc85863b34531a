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
}

/** The figures of the present five minutes, and the counts that arrived after the last look at the five minutes before. */
export interface Look {
  readonly levels: Pick<Sample, 'quota' | 'lateMs' | 'waitedMs' | 'webhookLoss'>;
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
export function withLook(day: readonly Sample[], { levels, counts, countsBefore }: Look, nowMs: number): Sample[] {
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
    },
  ];
}

function highest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
