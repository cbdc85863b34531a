import { sentencesOf } from '../domain/causes/cause.ts';
import { createChance } from '../sandbox/chance.ts';
import { disagreements, duplicates, type StrategyLetter } from './compare.ts';
import { type Figures, figuresOf } from './figures.ts';
import { leastCalls } from './least-calls.ts';
import { type Scene, StoryStuck, untilInStep } from './scene.ts';
import { lookAt, type Sides } from './sides.ts';
import { ACTS, type Act, prepareTrouble, STORY_PRODUCTS } from './story.ts';
import type { Tell } from './tell.ts';
import { openWorld, type World } from './world.ts';

export interface OnceOptions {
  readonly strategy: StrategyLetter;
  readonly seed: number;
  readonly tell: Tell;
  readonly signal: AbortSignal;
  readonly onOpen: (world: World) => Promise<void>;
  /** The default is all. */
  readonly acts?: readonly Act[];
  /** Called after the daemon stopped, before the comparison. */
  readonly beforeComparing?: (sides: Sides) => void;
}

export interface OnceResult {
  /** Differences and unfinished work; empty: all went well. */
  readonly problems: readonly string[];
  readonly figures: Figures;
  readonly duplicates: number;
  readonly calls: {
    readonly used: number;
    readonly writes: number;
    readonly least: { readonly writes: number; readonly pages: number };
    readonly peaks: { readonly second: number; readonly minute: number };
    /** Calls answered with 429. */
    readonly refused: number;
  };
  readonly tookMs: number;
}

const POLL = { orders: '3s', products: '30s', erp: '500ms' } as const;

/** Plays the story, then compares the two sides' own records. */
export async function playOnce(options: OnceOptions): Promise<OnceResult> {
  const { strategy, seed, tell, signal, acts = ACTS } = options;
  const startedMs = performance.now();
  const world = await openWorld({
    strategy,
    seed,
    tell,
    poll: POLL,
    products: STORY_PRODUCTS,
    prepare: prepareTrouble,
  });
  try {
    await options.onOpen(world);
    const openingListings = world.marketplace.products().length;
    const stuck = await play({ world, chance: createChance(`story ${seed}`), signal }, acts);
    const left = await leftToDo(world);
    await world.stopBridge();
    options.beforeComparing?.(world);
    const sides = lookAt(world);
    const { deeds } = world.erpStaff;
    return {
      problems: [...disagreements(sides, strategy), ...left, ...stuck],
      figures: figuresOf(world),
      duplicates: duplicates(sides),
      calls: { ...usedCalls(world), least: leastCalls(sides, strategy, { openingListings, deeds }) },
      tookMs: performance.now() - startedMs,
    };
  } finally {
    await world.close();
  }
}

/** Why the story stopped early; empty: it did not. */
async function play(scene: Scene, acts: readonly Act[]): Promise<string[]> {
  try {
    for (const { title, play: playAct } of acts) {
      scene.world.tell('demo', title);
      await playAct(scene);
      await untilInStep(scene);
    }
    return [];
  } catch (error) {
    if (error instanceof StoryStuck) return [`the story did not go on: ${error.message}`];
    throw error;
  }
}

/** What the daemon itself reports as unfinished. */
async function leftToDo({ app }: World): Promise<string[]> {
  const { work } = app.core.state.store;
  const held = await work.held('main');
  const failed = await work.failed({ account: 'main' });
  return [
    ...held.map(({ flow, key, heldFor }) => `${flow} ${key} is held: ${sentencesOf(heldFor ?? [])}`),
    ...failed.map(({ flow, key, message }) => `${flow} ${key} failed: ${message}`),
  ];
}

function usedCalls({ marketplace }: World) {
  const { requestLog } = marketplace;
  const isRead = (operation: string) => operation.endsWith('.list') || operation.endsWith('.get');
  const counts = Object.entries(requestLog.counts());
  return {
    used: requestLog.total(),
    writes: counts.reduce((sum, [operation, calls]) => (isRead(operation) ? sum : sum + calls), 0),
    peaks: marketplace.peaks()['brand'] ?? { second: 0, minute: 0 },
    refused: requestLog.statuses()['429'] ?? 0,
  };
}
