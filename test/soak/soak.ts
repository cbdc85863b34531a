import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../src/demo/free-port.ts';
import { type Process, start } from '../bench/support/rpc.ts';
import { NODE_OPTIONS } from '../support/as-started.ts';
import type { SoakDaemonApi } from './daemon-process.ts';
import { type Breakable, SOAK_FAULTS, strikes } from './faults.ts';
import { databaseFigures, folderMb, processFigures, redisMb, type Sample } from './samples.ts';
import type { SidesApi } from './sides-process.ts';

export interface SoakOptions {
  readonly lastsMs: number;
  readonly everyMs: number;
  /** The factor on the marketplace's real limits. */
  readonly speed: number;
  readonly sampleEveryMs: number;
  readonly retentionMs: number;
  /** The size of a small disk that is filled now and then, if this user may mount one; null: no disk is filled. */
  readonly diskBytes: number | null;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<string, number>;
  /** The differences after the soak; empty when both sides agree. */
  readonly disagreements: readonly string[];
  readonly settledMs: number;
  readonly orders: number;
  readonly calls: number;
  /** Lines of the daemon's log, by level. */
  readonly logged: Readonly<Record<string, number>>;
}

const SECRET = 'a-webhook-secret-of-the-soak';
/** The daemon is killed at these shares of the time, so that its last life is long enough to be measured. */
export const KILLS = [0.05, 0.15, 0.3];
const SETTLE_LIMIT_MS = 240_000;
const LISTED_LIMIT_MS = 60_000;

/** Lets the daemon run between two busy sides, with constant faults. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const stage = await openSoak(options);
  try {
    return await run(stage, options);
  } finally {
    await stage.close();
  }
}

type SoakStage = Awaited<ReturnType<typeof openSoak>>;

async function openSoak({ speed, retentionMs, diskBytes, tell }: SoakOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'soak-'));
  const dataDir = join(dir, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const isMounted = diskBytes !== null && mountSmallDisk(dataDir, diskBytes);
  if (diskBytes !== null && !isMounted)
    tell('the disk is not filled: that takes a small disk of its own, which only root can mount');
  const sides = start<SidesApi>(new URL('sides-process.ts', import.meta.url));
  const address = await sides.api.open({ speed });
  const configFile = join(dir, 'stockbridge.yaml');
  const logFile = join(dir, 'stockbridge.log');
  writeFileSync(configFile, await configText(dataDir, address));
  const redis = new Redis(join(dataDir, 'redis.sock'), { maxRetriesPerRequest: 0, lazyConnect: true });
  redis.on('error', () => {});
  let daemon: Process<SoakDaemonApi> | null = null;
  const life = { number: 0, sinceMs: 0 };

  async function startDaemon(): Promise<void> {
    daemon = start<SoakDaemonApi>(new URL('daemon-process.ts', import.meta.url), NODE_OPTIONS);
    life.number += 1;
    life.sinceMs = Date.now();
    const { receiverUrl } = await daemon.api.start({ configFile, logFile, retentionMs });
    await sides.api.sendWebhooksTo(receiverUrl, SECRET);
  }

  return {
    dataDir,
    logFile,
    life,
    startDaemon,
    sides: sides.api,
    redis,
    diskBytes: isMounted ? diskBytes : null,
    pid: () => daemon?.pid ?? 0,
    daemon: () => daemon?.api ?? null,
    async kill() {
      const killed = daemon;
      if (killed === null) return;
      process.kill(killed.pid, 'SIGKILL');
      await killed.end();
    },
    async close() {
      redis.disconnect();
      await daemon?.api.stop().catch((error: unknown) => tell(`the daemon did not stop well: ${String(error)}`));
      await daemon?.end();
      await sides.end();
      if (isMounted) execFileSync('umount', [dataDir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A disk that can be filled without harm to anybody else; false when this user may not. */
function mountSmallDisk(folder: string, bytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function configText(dataDir: string, sides: Awaited<ReturnType<SidesApi['open']>>): Promise<string> {
  const receiverPort = await freePort();
  const adminPort = await freePort({ not: [receiverPort] });
  return `
version: 1
log_level: warn
state: { dir: ${dataDir} }
webhooks: { listen: 127.0.0.1:${receiverPort} }
admin: { listen: 127.0.0.1:${adminPort} }
accounts:
  main:
    marketplace:
      base_url: ${sides.marketplaceUrl}
      auth: { scheme: app, key: ${sides.key} }
      seller_id: 4711
      timeout: 3s
      poll: { orders: 1s, products: 15s, overlap: 45s, full: "*/5 * * * *" }
      limits: { per_second: ${sides.perSecond}, per_minute: ${sides.perMinute} }
      webhooks: { secret: ${SECRET} }
    erp: { type: http, url: "${sides.erpUrl}", token: ${sides.token}, poll: 1s, timeout: 3s }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: 100000, percent: 10000 }, archive: { count: 1000, percent: 100 }, zero: { count: 1000, percent: 100 } }
`;
}

/** Records must be gone this many retentions after they were done with. */
const PRUNED_WITHIN = 3;
const MOST_TRIES = 30;

async function run(stage: SoakStage, options: SoakOptions): Promise<Soaked> {
  const { lastsMs, tell } = options;
  await stage.startDaemon();
  await untilListed(stage, options.signal);
  const ended = new AbortController();
  const over = AbortSignal.any([ended.signal, options.signal]);
  const samples: Sample[] = [];
  const sampling = sampleOften(stage, samples, options, over);
  await stage.sides.startLife('soak');
  const struck = await breakThings(stage, options, over);
  await stage.sides.stopLife();
  await stage.sides.mend();
  tell(`${Math.round(lastsMs / 60_000)} minutes are over; waiting until both sides agree`);
  const startedMs = Date.now();
  const found = await untilInStep(stage, options.signal);
  ended.abort();
  await sampling;
  samples.push(await takePruned(stage, options));
  const { orders, calls } = await stage.sides.figures();
  const settledMs = Date.now() - startedMs;
  return { samples, struck, disagreements: found, settledMs, orders, calls, logged: loggedBy(stage.logFile) };
}

/** The last webhooks are deleted a while after they were read, and a busy machine takes longer. */
async function takePruned(stage: SoakStage, { retentionMs, sampleEveryMs, signal }: SoakOptions): Promise<Sample> {
  for (let tries = 1; ; tries += 1) {
    const sample = await take(stage);
    const oldestMs = Math.max(sample.oldestInboxMs, sample.oldestJournalMs);
    if (oldestMs < PRUNED_WITHIN * retentionMs || tries === MOST_TRIES) return sample;
    await pause(sampleEveryMs, signal);
  }
}

/** Lets a fault strike every so often, and sometimes kills the daemon. */
async function breakThings(stage: SoakStage, options: SoakOptions, over: AbortSignal): Promise<Map<string, number>> {
  const struck = new Map<string, number>();
  const breakable: Breakable = stage;
  const faults = SOAK_FAULTS.filter(({ name }) => name !== 'disk full' || stage.diskBytes !== null);
  const kills = [...KILLS];
  const startedMs = Date.now();
  const until = (ms: number) => pause(startedMs + ms - Date.now(), over);
  // Each fault strikes, even if a start takes long: a slow machine takes longer, and is not spared.
  for (let atMs = options.everyMs, next = 0; atMs < options.lastsMs && !over.aborted; atMs += options.everyMs) {
    await until(atMs);
    if (atMs >= (kills[0] ?? Number.POSITIVE_INFINITY) * options.lastsMs) {
      kills.shift();
      await stage.kill();
      await stage.startDaemon();
      count(struck, 'daemon killed');
      continue;
    }
    const fault = faults[next % faults.length];
    if (fault === undefined) break;
    next += 1;
    if (await strikes(fault, breakable, over, options.tell)) count(struck, fault.name);
    await pause(Math.min(fault.lastsMs, options.everyMs * 0.7), over);
    await fault.mend?.(breakable);
  }
  await until(options.lastsMs);
  return struck;
}

async function sampleOften(
  stage: SoakStage,
  samples: Sample[],
  options: SoakOptions,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await pause(options.sampleEveryMs, over);
    try {
      const sample = await take(stage);
      samples.push(sample);
      options.tell(lineOf(sample));
    } catch (error) {
      options.tell(`not measured: ${String(error)}`);
    }
  }
}

async function take({ dataDir, life, pid, redis, sides }: SoakStage): Promise<Sample> {
  const now = Date.now();
  const { orders } = await sides.figures();
  const appended = join(dataDir, 'appendonlydir');
  return {
    ...databaseFigures(join(dataDir, 'stockbridge.db'), now),
    ...processFigures(pid()),
    atMs: now,
    life: life.number,
    upMs: now - life.sinceMs,
    redisMb: await redisMb(redis),
    redisFileMb: existsSync(appended) ? folderMb(appended) : 0,
    orders,
  };
}

function lineOf(sample: Sample): string {
  const { life, rssMb, descriptors, databaseMb, logMb, pending, journalRows, inboxRows, orders } = sample;
  const memory = `rss ${rssMb?.toFixed(0)} MB, redis ${sample.redisMb?.toFixed(1)} MB`;
  const files = `db ${databaseMb.toFixed(1)} MB, wal ${logMb.toFixed(1)} MB, ${descriptors} descriptors`;
  return `life ${life} ${memory}, ${files}, ${pending} pending, ${journalRows} journal, ${inboxRows} inbox, ${orders} orders`;
}

/** Waits for the listings: before that, there is nothing to buy. */
async function untilListed({ sides }: SoakStage, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + LISTED_LIMIT_MS; (await sides.figures()).unlisted > 0; await pause(200, signal)) {
    if (Date.now() > deadline || signal.aborted) throw new Error('the products of the ERP were not listed');
  }
}

/** Returns the differences that remain at the end of the wait. */
async function untilInStep(stage: SoakStage, signal: AbortSignal): Promise<string[]> {
  for (const deadline = Date.now() + SETTLE_LIMIT_MS; ; ) {
    const lacking = (await stage.daemon()?.lacking()) ?? [];
    const { pending } = databaseFigures(join(stage.dataDir, 'stockbridge.db'), Date.now());
    // The comparison of all orders keeps the sides from answering. So it is made only when the daemon has nothing to do, or
    // its time is over.
    const isQuiet = pending === 0 || Date.now() > deadline;
    const found = isQuiet ? [...lacking, ...(await stage.sides.disagreements())] : [`${pending} keys wait`];
    if (found.length === 0 || Date.now() > deadline || signal.aborted) return found;
    await pause(2_000, signal);
  }
}

function loggedBy(file: string): Record<string, number> {
  const counts: Record<string, number> = {};
  if (!existsSync(file)) return counts;
  for (const [, level = ''] of readFileSync(file, 'utf8').matchAll(/^\{"level":"(\w+)"/gm)) {
    counts[level] = (counts[level] ?? 0) + 1;
  }
  return counts;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
