import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '../domain/decimal.ts';
import { listAges } from '../flows/list-ages.ts';
import type { Chance } from '../sandbox/chance.ts';
import type { OrderState, ProductState } from '../sandbox/marketplace/actions.ts';
import { disagreements } from './compare.ts';
import { lookAt } from './sides.ts';
import type { World } from './world.ts';

/** What an act can use. */
export interface Scene {
  readonly world: World;
  readonly chance: Chance;
  readonly signal: AbortSignal;
}

/** The story cannot go on, since an expected event did not happen. */
export class StoryStuck extends Error {
  override readonly name = 'StoryStuck';
}

const BEAT_MS = 250;
const LOOK_EVERY_MS = 50;
/** A read shows its effect within this time. */
const STILL_MS = 10_000;
/** Generous, for a busy machine. */
const WAIT_LIMIT_MS = 5 * 60_000;

/** A pause for the reader. */
export async function beat({ signal }: Scene): Promise<void> {
  await sleep(BEAT_MS, undefined, { signal });
}

/** Runs the steps with pauses. */
export async function inTurn(scene: Scene, deeds: readonly (() => unknown)[]): Promise<void> {
  for (const deed of deeds) {
    deed();
    await beat(scene);
  }
}

/** @throws StoryStuck when the condition does not hold in time */
export async function until({ signal }: Scene, what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new StoryStuck(`waited ${WAIT_LIMIT_MS / 1000} s in vain until ${what}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** @throws StoryStuck when all is read and done, and the sides still differ */
export async function untilInStep(scene: Scene): Promise<void> {
  const { world } = scene;
  const { store } = world.app.core.state;
  let last = '';
  let changedAtMs = 0;
  await until(scene, 'both sides agree and nothing is left to do', async () => {
    const differ = disagreements(lookAt(world), world.strategy);
    const pending = await store.work.pending('main');
    if (differ.length === 0 && pending === 0) return true;
    const now = JSON.stringify([differ, pending]);
    if (now !== last) changedAtMs = Date.now();
    last = now;
    if (pending === 0 && (await isAllReadFor(scene, Date.now() - changedAtMs - STILL_MS)))
      throw new StoryStuck('the bridge is done, and the two sides do not agree');
    return false;
  });
}

/** Whether each list was read within this time. */
async function isAllReadFor({ world: { app } }: Scene, ms: number): Promise<boolean> {
  const { config, state } = app.core;
  const [account] = config.accounts;
  if (account === undefined) return false;
  const ages = await listAges(account, state.store, Date.now());
  return ages.every(({ ageMs }) => ageMs !== null && ageMs < ms);
}

export interface Wishes {
  readonly lines?: number;
  readonly discount?: string;
  /** Percent off the first line's price. */
  readonly sale?: number;
}

const MAX_CASES = 3;

/** Orders products with enough stock. */
export function buy(
  { world: { marketplace }, chance }: Scene,
  { lines = 1, discount = '0', sale }: Wishes,
): OrderState {
  const customers = marketplace.customers();
  const customer = customers[chance.whole(0, customers.length - 1)]?.id ?? 0;
  const shelf = marketplace
    .activeProductIds()
    .map((id) => marketplace.product(id))
    .filter((product) => casesOf(product).greaterThanOrEqualTo(MAX_CASES));
  const items = Array.from({ length: lines }, () => {
    const [product] = shelf.splice(chance.whole(0, shelf.length - 1), 1);
    if (product === undefined) throw new StoryStuck('everything is sold out');
    const { amount, currency } = product.price;
    const reduced = new Decimal(amount).times(100 - (sale ?? 0)).dividedBy(100);
    return {
      product: product.id,
      quantity: new Decimal(product.unitMultiplier).times(chance.whole(1, MAX_CASES)).toFixed(),
      ...(sale === undefined ? {} : { salePrice: { amount: reduced.toFixed(2), currency } }),
    };
  });
  return marketplace.placeOrder({ customer, items, discount });
}

function casesOf({ available, unitMultiplier }: ProductState): Decimal {
  return new Decimal(available).dividedBy(unitMultiplier);
}
