import { setImmediate } from 'node:timers/promises';
import { createChance } from '../../src/sandbox/chance.ts';
import { workOffBacklog } from './backlog.ts';
import { type Clock, installClock } from './clock.ts';
import { settle } from './ending.ts';
import { bearBadRow } from './isolation-law.ts';
import { takeBack } from './settings-law.ts';
import { openTown, START_MS, type Told, type Town } from './town.ts';
import { Broken, begin, takeTurn } from './turns.ts';
import { type Variant, type Workers, worldOf } from './world.ts';

export interface StoryOptions extends Partial<Told> {
  /** Only these steps of the story; all of them when left out. */
  readonly only?: ReadonlySet<number>;
  /** How many daemons share the account; one when left out. */
  readonly workers?: Workers;
}

export interface Ending {
  readonly seed: number;
  readonly variant: Variant;
  /** The broken laws, in order; empty when all is well. */
  readonly broken: readonly string[];
}

/** The time between two passes over everything in such a story. */
const PASS_EVERY_MS = 5 * 60_000;
/** A pass has ended after this time. */
const PASS_MS = 60_000;
/** Held keys are looked at several times within this time. */
const IGNORED_MS = 3 * 60_000;

/**
 * One story from one seed: people and faults act at random, then both sides have to agree. The same seed gives the same story.
 */
export async function playStory(
  seed: number,
  { only, workers = 1, tell = () => {}, struck = new Map() }: StoryOptions = {},
): Promise<Ending> {
  const world = worldOf(seed, workers);
  const clock = installClock(START_MS);
  const town = openTown(seed, world, clock, { tell, struck });
  const { broken } = town.laws;
  try {
    await play(town, only);
    if (broken.length === 0) await settle(town);
  } catch (error) {
    if (!(error instanceof Broken))
      broken.push(`the program failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    town.close();
    clock.uninstall();
  }
  // The memory of SQLite is freed in a turn of the event loop, and a story takes no turn.
  await setImmediate();
  return { seed, variant: world.variant, broken };
}

/** The story of this seed, line by line. */
export async function told(seed: number, workers: Workers): Promise<string> {
  const lines: string[] = [];
  await playStory(seed, { workers, tell: (line) => lines.push(line) });
  return lines.join('\n');
}

async function play(town: Town, only: ReadonlySet<number> | undefined): Promise<void> {
  const { seed, world, clock, laws, coverageLaw, rowsAhead } = town;
  const buyers = await begin(town);
  await clock.advance(2_000);
  for (let index = 0; index < world.steps; index += 1) {
    if (only === undefined || only.has(index)) await takeTurn(town, index, buyers);
    await clock.advance(createChance(`${seed} pause ${index}`).pick([0, 50, 300, 1_000, 2_500, 6_000]));
    coverageLaw.judge();
    rowsAhead?.judge();
    if (laws.broken.length > 0) return;
  }
  if (world.ignores !== null) await ignoreWrites(town, world.ignores);
  if (world.backlog) await workOffBacklog(town, buyers);
  if (world.badRow) await bearBadRow(town, buyers);
  if (world.settings && laws.broken.length === 0) await takeBack(town);
}

/**
 * The ERP counts the stock, the marketplace ignores what is written of it, and then nothing happens for a while. After that, the
 * pass over everything writes it once more.
 */
async function ignoreWrites(town: Town, field: string): Promise<void> {
  const { clock, effectLaw, laws, sides, staff, say, strike } = town;
  town.endFaults();
  await pass(clock);
  if (laws.broken.length > 0 || staff.bridge() === null) return;
  sides.marketplace.faults.set({ kind: 'field-ignored', operation: 'products.patch', field });
  strike('field ignored');
  say(`the marketplace ignores ${field}`);
  for (const [index, { sku }] of sides.erp.control.state().products.entries())
    sides.erp.control.setStock(sku, String(30 + index));
  town.note();
  effectLaw.quiet();
  await clock.advance(IGNORED_MS);
  effectLaw.news();
  town.endFaults();
  await pass(clock);
}

/** Goes on until a pass over everything has ended. */
async function pass(clock: Clock): Promise<void> {
  await clock.advance(PASS_EVERY_MS - (clock.nowMs() % PASS_EVERY_MS) + PASS_MS);
}
