import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Process, start } from '../bench/support/rpc.ts';
import { startRedis } from '../support/redis.ts';
import { openCopies } from './copies.ts';
import { type DaemonApi, type Ended, type Left, type Run, SYNC_ENDED } from './daemon-process.ts';
import type { Point } from './effects.ts';
import type { FlowName } from './flows.ts';
import { imprintOf } from './imprint.ts';
import { effectOf } from './points.ts';
import type { SidesApi, WriteCall } from './sides-process.ts';
import { problemsOf } from './verdict.ts';

/** The disks of the daemon and of both sides between two runs, and the kills that led there. */
export interface World {
  readonly flow: FlowName;
  readonly dir: string;
  /** The writes that reached a side. */
  readonly writes: readonly WriteCall[];
  /** The imprint of the disk. Equal worlds have the same imprint. Empty on PostgreSQL. */
  readonly imprint: string;
  /** The effect at which each kill struck; null where the run ended before its point. */
  readonly struck: readonly (string | null)[];
}

export interface Recovery {
  /** The effects of the run, in the order in which they began. */
  readonly effects: readonly string[];
  /** The broken rules; empty when all is well. */
  readonly problems: readonly string[];
  /** The imprint that another kill would leave behind at each point of the run. */
  readonly points: readonly Left[];
}

export interface Matrix {
  /** The world in which the story of a flow is about to be noticed. */
  begin(flow: FlowName): Promise<World>;
  /**
   * Starts the daemon in a copy of this world and kills it at a point. The new world gets this name, and may replace an old
   * world.
   */
  crash(world: World, point: Point, name: string): Promise<World>;
  /** Starts the daemon in a copy of this world, and judges its end. Imprints are taken only on request. */
  recover(world: World, options?: { readonly imprints: boolean }): Promise<Recovery>;
  close(): Promise<void>;
}

const DAEMON = new URL('daemon-process.ts', import.meta.url);

/**
 * Longer than the time in which an abandoned request may still be applied. Otherwise each start after a create would wait for
 * that.
 */
const RESTART_AFTER_MS = 60_000;

export interface MatrixOptions {
  /** The daemon's database is on a real PostgreSQL; otherwise on SQLite. */
  readonly postgres: boolean;
}

/** Real processes, a real database, a real Redis. */
export async function openMatrix({ postgres }: MatrixOptions = { postgres: false }): Promise<Matrix> {
  const dir = mkdtempSync(join(tmpdir(), 'crash-'));
  const redis = await startRedis();
  const copies = postgres ? await openCopies() : null;
  const sides = start<SidesApi>(new URL('sides-process.ts', import.meta.url));
  // All runs use the same folder: the records of a side hold its address, and the name of the queue comes from the folder.
  const stage = join(dir, 'stage');
  const configFile = join(dir, 'stockbridge.yaml');
  const effectsFile = join(dir, 'effects');
  /** The next process is started ahead, because a start takes longest. */
  let spare: Process<DaemonApi> | null = null;

  const run = async ({
    point = null,
    imprintsOf = null,
    syncs,
    clockAheadMs = 0,
  }: Pick<Run, 'syncs'> & Partial<Run>): Promise<{ ended: Ended | null; effects: string[] }> => {
    writeFileSync(effectsFile, '');
    const daemon = spare ?? start<DaemonApi>(DAEMON);
    spare = start<DaemonApi>(DAEMON);
    const url = copies?.url ?? null;
    const settings = {
      configFile,
      redis: redis.path,
      postgres: url,
      effectsFile,
      point,
      imprintsOf,
      syncs,
      clockAheadMs,
    };
    const ended = await daemon.api.run(settings).catch((error: unknown) => {
      if (point !== null && error instanceof Error && error.message.endsWith('SIGKILL')) return null;
      throw error;
    });
    await daemon.end();
    if (ended !== null && copies !== null) ended.holes.push(...(await copies.holes()));
    return { ended, effects: readFileSync(effectsFile, 'utf8').split('\n').filter(Boolean) };
  };

  const on = async <Result>(from: string | null, work: () => Promise<Result>): Promise<Result> => {
    rmSync(stage, { recursive: true, force: true });
    if (from === null) mkdirSync(stage);
    else cpSync(from, stage, { recursive: true });
    await copies?.take(from === null ? null : basename(from));
    writeFileSync(configFile, configOf(join(stage, 'data'), await sides.api.open(join(stage, 'sides'))));
    try {
      return await work();
    } finally {
      await sides.api.close();
    }
  };

  const keep = async (name: string): Promise<string> => {
    const saved = join(dir, name);
    rmSync(saved, { recursive: true, force: true });
    cpSync(stage, saved, { recursive: true });
    await copies?.keep(name);
    return saved;
  };

  const imprint = (of: string): string => (postgres ? '' : imprintOf(of));

  return {
    async begin(flow) {
      const dirOfStory = join(dir, flow);
      if (!existsSync(dirOfStory)) {
        await on(null, async () => {
          await sides.api.prepare(flow);
          await run({ syncs: 1 });
          await sides.api.prepareMore(flow);
          await run({ syncs: 2 });
          await sides.api.act(flow);
        });
        await keep(flow);
      }
      return { flow, dir: dirOfStory, writes: [], imprint: imprint(dirOfStory), struck: [] };
    },

    async crash(world, point, name) {
      const next = await on(world.dir, async () => {
        const { ended, effects } = await run({ point, syncs: 1, clockAheadMs: world.struck.length * RESTART_AFTER_MS });
        const struck = ended === null ? (effects.find((line) => effectOf(line) === point.effect) ?? null) : null;
        const writes = [...world.writes, ...(await sides.api.writes())];
        return { flow: world.flow, writes, struck: [...world.struck, struck] };
      });
      return { ...next, imprint: imprint(stage), dir: await keep(name) };
    },

    async recover({ flow, dir: from, writes: before, struck }, { imprints } = { imprints: false }) {
      return on(from, async () => {
        const clockAheadMs = struck.length * RESTART_AFTER_MS;
        const { ended, effects } = await run({ syncs: 2, clockAheadMs, imprintsOf: imprints ? stage : null });
        if (ended === null) throw new Error('it was killed, and by nobody');
        const first = effects.indexOf(SYNC_ENDED);
        const further = effects.slice(first + 1).filter((what) => /^[A-Z]+ /.test(what));
        const writes = [...before, ...(await sides.api.writes())];
        const problems = problemsOf({ writes, further, ended });
        problems.push(...(await sides.api.disagreements(flow)));
        return { effects: effects.slice(0, first), problems, points: ended.points };
      });
    },

    async close() {
      await spare?.end();
      await sides.end();
      await redis.stop();
      await copies?.stop();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function configOf(data: string, address: Awaited<ReturnType<SidesApi['open']>>): string {
  return `
version: 1
state: { dir: ${data} }
accounts:
  main:
    marketplace:
      base_url: ${address.marketplaceUrl}
      auth: { scheme: app, key: ${address.key} }
      seller_id: 4711
      timeout: 3s
      transitions: { accept: accept }
    erp: { type: http, url: "${address.erpUrl}", token: ${address.token}, timeout: 3s }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z, on_unmapped_product: create, from_erp: { since: "2020-01-01T00:00:00Z" } }
    brakes: { create: { count: 100000, percent: 10000 }, zero: { count: 100000, percent: 100 } }
`;
}
