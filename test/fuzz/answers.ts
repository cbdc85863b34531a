import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { CallFailure } from '../../src/domain/failure.ts';
import { collectionsRead } from '../../src/flows/flows.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { createChance } from '../../src/sandbox/chance.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { changesOf, fullReads, READS, type ReadName } from '../../src/shadow/collections.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { syncAccount } from '../../src/use/sync.ts';
import { type Door, openDoor } from '../support/twisted.ts';
import { TWIST_NAMES, TWISTS } from './twists.ts';

export interface AnswersOptions {
  /** The number of answers to change. */
  readonly answers: number;
  readonly seed: number;
  readonly tell?: (line: string) => void;
}

export interface FuzzedAnswers {
  /** The number of changed answers of each kind of change. */
  readonly changed: ReadonlyMap<string, number>;
  /** The longest time in ms without an answer to a probe, because nothing else had its turn. */
  readonly silentMs: number;
  readonly peakMb: number;
  /** Broken rules: crashes, lost or forged data, and differences at the end. */
  readonly wrong: readonly string[];
}

const TOKEN = 'an-erp-token-of-the-fuzz';
const PRODUCTS = 5;
const ORDERS = 40;
const ROUNDS_A_WHOLE_READ = 20;
const TELL_EVERY = 1_000;
/** The number of changed answers among ten. */
const CHANGED_OF_TEN = 6;
const MAX_PASSES = 8;

/**
 * Lets a daemon read and write through doors that change most of the answers of both sides. Then the doors change nothing,
 * until both sides have to be in step.
 */
export async function fuzzAnswers({ answers, seed, tell = () => {} }: AnswersOptions): Promise<FuzzedAnswers> {
  const chance = createChance(seed);
  const world = await openWorld();
  const { app, erp, doors } = world;
  const changed = new Map<string, number>();
  const wrong: string[] = [];
  const watch = watchSilence();
  const crashed = (error: unknown) => wrong.push(`crashed: ${String(error)}`);
  process.on('unhandledRejection', crashed);
  let [done, peakBytes] = [0, 0];
  for (const door of doors) {
    door.twist = (answer) => {
      if (done >= answers || chance.whole(1, 10) > CHANGED_OF_TEN) return answer;
      const name = TWIST_NAMES[chance.whole(0, TWIST_NAMES.length - 1)] ?? '';
      done += 1;
      changed.set(name, (changed.get(name) ?? 0) + 1);
      return TWISTS[name]?.(answer, chance) ?? answer;
    };
  }
  try {
    const context = app.core.accounts.get('main');
    if (context === undefined) throw new Error('there is no account main');
    const collections = collectionsRead(context.config);
    const signal = new AbortController().signal;
    const read = async (name: ReadName) => {
      try {
        await context.exclusively<unknown>([name], () => READS[name](context, { key: 'all', lane: 'poll', signal }));
      } catch (error) {
        if (!(error instanceof CallFailure || error instanceof StoreError)) wrong.push(`${name}: ${told(error)}`);
      }
    };
    const placed = new Set<string>();
    let told_ = 0;
    for (let round = 0; done < answers && wrong.length === 0; round += 1) {
      if (placed.size < ORDERS && round % 3 === 0)
        for (const number of world.order(chance.whole(1, PRODUCTS))) placed.add(number);
      if (round % 5 === 0) erp.control.setStock(`SB-000${chance.whole(1, PRODUCTS)}`, String(chance.whole(50, 500)));
      await Promise.all(
        (round % ROUNDS_A_WHOLE_READ === 0 ? fullReads(collections) : collections.map(changesOf)).map(read),
      );
      peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
      if (done - told_ < TELL_EVERY) continue;
      told_ = done;
      tell(`${done} answers changed, ${placed.size} orders, silent for ${Math.round(watch.longestMs())} ms at most`);
    }
    const silentMs = watch.longestMs();
    for (const door of doors) door.twist = null;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      await app.core.state.store.work.release({ account: 'main' });
      const { written, pending, failed } = await syncAccount(app.core, context, AbortSignal.timeout(240_000), () => {});
      if (pass > 1 && written + pending + failed === 0) break;
    }
    wrong.push(...outOfStep(world, placed));
    return { changed, silentMs, peakMb: peakBytes / 1e6, wrong };
  } finally {
    process.off('unhandledRejection', crashed);
    watch.stop();
    await world.close();
  }
}

/** The differences between the two sides, from their own data. */
function outOfStep({ marketplace, erp }: World, placed: ReadonlySet<string>): string[] {
  const wrong: string[] = [];
  for (const number of placed) {
    const found = erp.control.findOrders(number);
    if (found.length !== 1) wrong.push(`order ${number} is ${found.length} times in the ERP`);
  }
  const orders = erp.control.state().orders.filter(({ origin }) => origin === 'marketplace');
  for (const { reference } of orders) if (!placed.has(reference)) wrong.push(`order ${reference} is invented`);
  for (const { sku, available } of erp.control.state().stock) {
    const listing = marketplace.products().find((one) => one.sku === sku);
    if (listing === undefined) wrong.push(`${sku} is not listed`);
    else if (Number(listing.available) !== Number(available)) {
      wrong.push(`${sku}: the marketplace offers ${listing.available}, the ERP has ${available}`);
    }
  }
  const listings = marketplace.products().length;
  if (listings !== PRODUCTS) wrong.push(`${listings} listings of ${PRODUCTS} products`);
  return wrong;
}

/** Notices how long nothing else has its turn. */
function watchSilence() {
  let [longest, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 10);
  return {
    longestMs: () => (look(), longest),
    stop: () => clearInterval(timer),
  };
}

const told = (error: unknown) =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 600);

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-answers-'));
  const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  const erp = await startSandboxErp({ tokens: [TOKEN] });
  erp.control.seed(PRODUCTS);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const doors: Door[] = [await openDoor(marketplace.url), await openDoor(erp.url)];
  const configFile = join(dir, 'stockbridge.yaml');
  writeFileSync(
    configFile,
    configText(
      dir,
      marketplace.key,
      doors.map(({ url }) => url),
    ),
  );
  const log = createLogger({ level: 'silent', secrets: [] });
  const app = await startApp({ config: loadConfig(configFile, {}).config, log, unlimited: true }, ['work']);
  const context = app.core.accounts.get('main');
  if (context === undefined) throw new Error('there is no account main');
  await syncAccount(app.core, context, AbortSignal.timeout(120_000), () => {});
  return {
    app,
    marketplace,
    erp,
    doors,
    /** A buyer orders an offered product, if there is one. */
    order(product: number): string[] {
      const listing = marketplace.products().find(({ id }) => id === product);
      if (listing === undefined || Number(listing.available) < 1) return [];
      return [marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] }).number];
    },
    async close() {
      await app.stop(5_000);
      for (const door of doors) await door.close();
      await marketplace.close();
      await erp.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function configText(dir: string, key: string, [shop = '', erp = '']: readonly string[]): string {
  return `
version: 1
state: { dir: ${dir}/data }
accounts:
  main:
    marketplace:
      base_url: ${shop}
      auth: { scheme: app, key: ${key} }
      seller_id: 4711
      timeout: 1s
      limits: { per_second: 1000, per_minute: 60000 }
    erp: { type: http, url: "${erp}", token: ${TOKEN}, timeout: 1s }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: 1000, percent: 10000 }, archive: { count: 1000, percent: 100 }, zero: { count: 1000, percent: 100 } }
`;
}
