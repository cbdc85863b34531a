import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Role } from '../../../src/daemon/roles.ts';
import { nodeOptionsOf } from '../../support/as-started.ts';
import { stateSection } from '../../support/postgres.ts';
import type { DaemonApi } from './daemon-process.ts';
import { type Process, type Remote, start } from './rpc.ts';
import type { BenchPlace, SidesApi } from './sides-process.ts';

/** Two sides in one process, the daemon in another. */
export interface Rig {
  readonly sides: Remote<SidesApi>;
  /** The addresses of both sides, with the keys that they take. */
  readonly address: Awaited<ReturnType<SidesApi['open']>>;
  readonly configFile: string;
  readonly logFile: string;
  /** Starts the daemon, in a new process each time. */
  startDaemon(options: {
    unlimited: boolean;
    roles?: readonly Role[];
    execArgv?: readonly string[];
    program?: Program;
  }): Promise<Daemon>;
  close(): Promise<void>;
}

export interface Daemon {
  readonly api: Remote<DaemonApi>;
  readonly receiverUrl: string;
  readonly adminUrl: string;
  end(): Promise<void>;
  /** Ends the daemon without a warning, as a power cut does. */
  kill(): Promise<void>;
}

/** A checkout of Stockbridge whose daemon is measured. */
export interface Program {
  readonly name: string;
  readonly root: URL;
}

const THIS: Program = { name: 'this one', root: new URL('../../../', import.meta.url) };

/** This checkout and the one that `BENCH_BESIDE` names, if any. Both are measured in turns, with the same sides. */
export function programs(): readonly Program[] {
  const beside = process.env['BENCH_BESIDE'];
  if (beside === undefined) return [THIS];
  return [THIS, { name: 'the one beside', root: pathToFileURL(`${beside}/`) }];
}

/** The median of each program's measurements, in the words of `show`, this program's first. */
export function besideEachOther<Measured>(
  measured: ReadonlyMap<Program, readonly Measured[]>,
  show: (measured: readonly Measured[]) => string,
): { value: string; beside: string } {
  const [[, own] = [THIS, []], other] = [...measured];
  return { value: show(own), beside: other === undefined ? '' : `; ${other[0].name}: ${show(other[1])}` };
}

/** Measures each program `rounds` times, in turns: other load on the machine then hits all of them alike. */
export async function inTurns<Measured>(
  rounds: number,
  measure: (program: Program) => Promise<Measured>,
): Promise<Map<Program, Measured[]>> {
  const measured = new Map<Program, Measured[]>(programs().map((program) => [program, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [program, all] of measured) all.push(await measure(program));
  }
  return measured;
}

export interface RigOptions {
  readonly products: number;
  /** So many of the products are listings from the beginning; left out: all of them. */
  readonly listed?: number;
  /** The creates that the brake lets pass; left out: all of them. */
  readonly creates?: number;
  /** The listings were made by hand: they are not linked, and have another stock. */
  readonly byHand?: true;
  /** The marketplace's quota: as the spec says, or none. */
  readonly limits: boolean;
  /** How long both sides take to answer each call. */
  readonly answerMs?: number;
  /** As flow YAML: `orders: 1s, products: 1s`. An interval that is left out has its default. */
  readonly poll?: string;
  readonly erpPoll?: string;
  /** The places of each product's stock; stock without a place when left out. */
  readonly places?: readonly BenchPlace[];
  /** A line of `marketplace`. */
  readonly marketplace?: string;
}

export const ADMIN_TOKEN = 'an-admin-token-of-the-bench';
export const WEBHOOK_SECRET = 'a-webhook-secret-of-the-bench';
const ALL: readonly Role[] = ['poll', 'receive', 'work', 'admin'];

export async function openRig(options: RigOptions): Promise<Rig> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  const sides = start<SidesApi>(new URL('sides-process.ts', import.meta.url));
  const address = await sides.api.open({
    products: options.products,
    listed: options.listed ?? options.products,
    byHand: options.byHand ?? false,
    limits: options.limits,
    places: options.places ?? [],
    answerMs: options.answerMs ?? 0,
  });
  const configFile = join(dir, 'stockbridge.yaml');
  const logFile = join(dir, 'stockbridge.log');
  const state = await stateSection(dir);
  writeFileSync(configFile, configText(options, state.text, address));
  const daemons = new Set<Process<DaemonApi>>();
  return {
    sides: sides.api,
    address,
    configFile,
    logFile,
    async startDaemon({ unlimited, roles = ALL, execArgv = [], program = THIS }) {
      const child = start<DaemonApi>(new URL('test/bench/support/daemon-process.ts', program.root), [
        ...nodeOptionsOf(program.root),
        ...execArgv,
      ]);
      daemons.add(child);
      const { receiverUrl, adminUrl } = await child.api.start({ configFile, unlimited, roles, logFile });
      const end = async () => {
        daemons.delete(child);
        await child.api.stop();
        await child.end();
      };
      const kill = async () => {
        daemons.delete(child);
        process.kill(child.pid, 'SIGKILL');
        await child.end();
      };
      return { api: child.api, receiverUrl: receiverUrl ?? '', adminUrl: adminUrl ?? '', end, kill };
    },
    async close() {
      for (const daemon of daemons) {
        await daemon.api.stop();
        await daemon.end();
      }
      await sides.end();
      await state.drop();
      process.off('exit', remove);
      remove();
    },
  };
}

function configText(
  { poll = '', erpPoll = '15s', marketplace = '', places = [], creates = 100_000 }: RigOptions,
  state: string,
  { marketplaceUrl, key, erpUrl, token }: Awaited<ReturnType<SidesApi['open']>>,
): string {
  return `
version: 1
state: ${state}
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0, viewer_token: ${ADMIN_TOKEN} }
accounts:
  main:
    marketplace:
      base_url: ${marketplaceUrl}
      auth: { scheme: app, key: ${key} }
      seller_id: 4711
      poll: { ${poll} }
      webhooks: { secret: ${WEBHOOK_SECRET} }
      ${marketplace}
    erp: { type: http, url: "${erpUrl}", token: ${token}, poll: ${erpPoll} }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: ${creates}, percent: 10000 } }
${facilities(places)}`;
}

function facilities(places: readonly BenchPlace[]): string {
  if (places.length === 0) return '';
  const map = places.map(
    ({ location, facility }) => `{ erp_location: ${location}, facility_id: ${facility}, batch_id: 1 }`,
  );
  return `    facilities: { created_by: 17, map: [${map.join(', ')}] }\n`;
}

const LOOK_EVERY_MS = 50;

/**
 * Waits until nothing is lacking, for `looks` looks in a row.
 * @param lacking the things that are still lacking, for a person
 * @throws Error after `limitMs`
 */
export async function untilNothing(
  lacking: () => Promise<string | null>,
  { looks = 1, limitMs = 120_000 }: { looks?: number; limitMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let inRow = 0; ; ) {
    const lack = await lacking();
    inRow = lack === null ? inRow + 1 : 0;
    if (inRow >= looks) return;
    if (performance.now() > deadline) throw new Error(`after ${limitMs} ms still: ${lack}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until the daemon knows both sides and has nothing left to do. */
export async function untilInStep({ api }: Pick<Daemon, 'api'>, limitMs = 120_000): Promise<void> {
  await untilNothing(async () => (await api.lacking()).join('; ') || null, { limitMs });
  await untilNothing(async () => ((await api.pending()) === 0 ? null : 'there is work to do'), { looks: 20, limitMs });
}

/** Waits until the ERP has this many orders; answers how many milliseconds that took. */
export async function untilInErp({ sides }: Pick<Rig, 'sides'>, count: number, limitMs: number): Promise<number> {
  const startedMs = performance.now();
  const lacking = async () => {
    const there = await sides.ordersInErp();
    return there >= count ? null : `${there} of ${count} orders are in the ERP`;
  };
  await untilNothing(lacking, { limitMs });
  return performance.now() - startedMs;
}

/** Waits until the marketplace was told of this many orders, since the calls were reset, that the ERP has them. */
export async function untilExported({ sides }: Pick<Rig, 'sides'>, count: number): Promise<void> {
  const lacking = async () => {
    const marked = (await sides.calls())['orders.patch'] ?? 0;
    return marked >= count ? null : `${marked} of ${count} orders are exported`;
  };
  await untilNothing(lacking, { limitMs: 1_200_000 });
}

export function totalOf(calls: Readonly<Record<string, number>>): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

export function median(values: readonly number[]): number {
  return share(values, 0.5);
}

/** The value that this share of all does not exceed. */
export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
