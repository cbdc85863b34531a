import type { Sample } from './samples.ts';

/** One line of the table at the end. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly bound: string;
  /** null: the run was too short for a judgement, or the figure is not measured on this system. */
  readonly met: boolean | null;
}

export interface Limits {
  readonly retentionMs: number;
  /** The interval at which old records are deleted. */
  readonly pruneEveryMs: number;
  /** The time after a start in which the figures only show the start. */
  readonly warmUpMs: number;
}

const SLOPE_MB_AN_HOUR = 24;
/** The slope of a shorter run is random. */
const SLOPE_FROM_MS = 12 * 60_000;
const MORE_DESCRIPTORS = 8;
const BYTES_AN_ORDER = 8 * 1024;
/** The file grows by whole pages, some for each table. The growth per order is only meaningful from this many orders on. */
const BYTES_FROM_ORDERS = 100;
const LOG_MB = 64;
const REDIS_MB = 32;
/** Redis rewrites its file at twice 64 MB at the latest. */
const REDIS_FILE_MB = 160;
const LATE_PRUNE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The slope of the line with the least squares through these points; 0 for fewer than two. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}

/** Judges memory, descriptors and files. */
export function judge(samples: readonly Sample[], limits: Limits): Row[] {
  const life = longestLife(samples, limits.warmUpMs);
  return [memoryRow(life), descriptorRow(life), ...databaseRows(samples, limits), ...redisRows(samples)];
}

/** The samples of the daemon's longest life, after its warm-up. */
function longestLife(samples: readonly Sample[], warmUpMs: number): readonly Sample[] {
  const lives = [...Map.groupBy(samples, ({ life }) => life).values()];
  const longest = lives.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return longest.filter(({ upMs }) => upMs >= warmUpMs);
}

function memoryRow(life: readonly Sample[]): Row {
  const points = life.flatMap(({ atMs, rssMb }) => (rssMb === null ? [] : [[atMs / HOUR_MS, rssMb] as const]));
  const values = points.map(([, mb]) => mb);
  const stretchMs = (life.at(-1)?.atMs ?? 0) - (life[0]?.atMs ?? 0);
  const rise = slope(points);
  return {
    what: `memory (RSS) over ${minutes(stretchMs)} of one life, after its warm-up`,
    value: `${rise.toFixed(1)} MB/h; ${range(values)} MB`,
    bound: `${SLOPE_MB_AN_HOUR} MB/h`,
    met: stretchMs < SLOPE_FROM_MS || points.length < 2 ? null : rise <= SLOPE_MB_AN_HOUR,
  };
}

function descriptorRow(life: readonly Sample[]): Row {
  const open = life.flatMap(({ descriptors }) => (descriptors === null ? [] : [descriptors]));
  const quarter = Math.floor(open.length / 4);
  const [early, late] = [median(open.slice(0, quarter)), median(open.slice(-quarter))];
  return {
    what: 'open descriptors, the median of its first and its last quarter',
    value: `${early} and ${late}; ${range(open)}`,
    bound: `${MORE_DESCRIPTORS} more`,
    met: quarter < 2 ? null : late - early <= MORE_DESCRIPTORS,
  };
}

function databaseRows(samples: readonly Sample[], limits: Limits): Row[] {
  const boundMs = limits.retentionMs + limits.pruneEveryMs + LATE_PRUNE_MS;
  const last = samples.slice(-3);
  const oldest = (of: 'oldestJournalMs' | 'oldestInboxMs') => Math.max(0, ...last.map((sample) => sample[of]));
  const isLongEnough = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0) > 2 * boundMs;
  const [middle, end] = [samples[Math.floor(samples.length / 2)], samples.at(-1)];
  const orders = (end?.orders ?? 0) - (middle?.orders ?? 0);
  const grown = ((end?.databaseMb ?? 0) - (middle?.databaseMb ?? 0)) * 1024 * 1024;
  const perOrder = orders === 0 ? 0 : grown / orders;
  const peak = (of: 'journalRows' | 'inboxRows' | 'intentRows') =>
    `${Math.max(0, ...samples.map((sample) => sample[of]))} at most, ${end?.[of] ?? 0} at the end`;
  const log = Math.max(0, ...samples.map(({ logMb }) => logMb));
  return [
    {
      what: 'oldest entry of the journal and of the inbox, at the end',
      value: `${seconds(oldest('oldestJournalMs'))} and ${seconds(oldest('oldestInboxMs'))}`,
      bound: `${seconds(boundMs)} for a retention of ${seconds(limits.retentionMs)}`,
      met: isLongEnough ? Math.max(oldest('oldestJournalMs'), oldest('oldestInboxMs')) <= boundMs : null,
    },
    { what: 'entries of the journal', value: peak('journalRows'), bound: '', met: null },
    { what: 'webhooks kept', value: peak('inboxRows'), bound: '', met: null },
    { what: 'writes in doubt or settled', value: peak('intentRows'), bound: '', met: null },
    holesRow(samples),
    {
      what: `SQLite's file: ${end?.databaseMb.toFixed(1)} MB (${end?.freeMb.toFixed(1)} free); in the second half, for each order`,
      value: `${Math.round(perOrder)} bytes (${orders} orders)`,
      bound: `${BYTES_AN_ORDER} bytes`,
      met: isLongEnough && orders >= BYTES_FROM_ORDERS ? perOrder <= BYTES_AN_ORDER : null,
    },
    { what: "SQLite's log", value: `${log.toFixed(1)} MB at most`, bound: `${LOG_MB} MB`, met: log <= LOG_MB },
  ];
}

/** Times that a fault left uncovered must have been read again at the end. */
function holesRow(samples: readonly Sample[]): Row {
  const most = Math.max(0, ...samples.map(({ holes }) => holes.length));
  const left = samples.at(-1)?.holes ?? [];
  return {
    what: `holes at the end, of ${samples.at(-1)?.coverageRows ?? 0} windows of reads`,
    value: left.length === 0 ? `none; ${most} at most before` : left.join('; '),
    bound: 'none',
    met: left.length === 0,
  };
}

function redisRows(samples: readonly Sample[]): Row[] {
  const memory = Math.max(0, ...samples.map((sample) => sample.redisMb ?? 0));
  const file = Math.max(0, ...samples.map((sample) => sample.redisFileMb));
  const pending = Math.max(0, ...samples.map((sample) => sample.pending));
  return [
    {
      what: "Redis's memory",
      value: `${memory.toFixed(1)} MB at most`,
      bound: `${REDIS_MB} MB`,
      met: memory <= REDIS_MB,
    },
    {
      what: "Redis's file",
      value: `${file.toFixed(1)} MB at most`,
      bound: `${REDIS_FILE_MB} MB`,
      met: file <= REDIS_FILE_MB,
    },
    { what: 'keys that waited', value: `${pending} at most`, bound: '', met: null },
  ];
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;

function range(values: readonly number[]): string {
  return values.length === 0 ? 'nothing' : `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
