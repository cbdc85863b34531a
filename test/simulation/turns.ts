import { type Chance, createChance } from '../../src/sandbox/chance.ts';
import { casePrice } from '../../src/sandbox/erp/seed.ts';
import { DEEDS } from './people.ts';
import { isRefusal } from './pick.ts';
import { armSide } from './side-faults.ts';
import type { Town } from './town.ts';
import { vanish } from './vanish.ts';

/** The story is over: a law is broken. */
export class Broken extends Error {}

/** The subject of the table is listed, or its order entered, within this time. */
const LISTED_MS = 20_000;

/** Makes the entities that exist before the first start of the program. Returns the customers who may buy. */
export async function begin(town: Town): Promise<readonly number[]> {
  const { seed, world, sides, clock } = town;
  const mine = createChance(`${seed} begin`);
  sides.erp.control.seed(world.products, 1 + (seed % 1_000));
  for (const { sku } of sides.erp.control.state().products) sides.erp.control.setStock(sku, String(mine.whole(20, 99)));
  town.strangers?.list(createChance(`${seed} strangers listed`));
  const buyers = ['NV', 'CA'].map((state) => sides.marketplace.addCustomer({ name: `Shop in ${state}`, state }));
  for (let order = 0; order < world.orders; order += 1) await orderBefore(town, mine, buyers);
  const isListed = createChance(`${seed} table begin`).whole(0, 1) === 0;
  town.people?.begin(mine.whole(0, 1) === 0 ? buyers : buyers.toReversed(), isListed);
  town.note();
  if (world.answers !== null) answerSparsely(town, world.answers);
  town.staff.start();
  if (town.people !== null) {
    // The subject is on both sides, and quiet, before people act on it.
    await clock.advance(LISTED_MS);
    if (!isListed) town.attempt('the subject is ordered', town.people.order);
    await clock.advance(LISTED_MS);
  }
  return buyers;
}

function answerSparsely({ sides, strike, say }: Town, keep: 'id' | 'inventory'): void {
  sides.marketplace.faults.set({ kind: 'sparse-answer', keep });
  strike(`answers of ${keep}`);
  say(`the marketplace answers writes with no more than: ${keep}`);
}

/** The marketplace was used before: somebody listed a product there, and it was ordered. */
async function orderBefore({ sides, clock }: Town, mine: Chance, buyers: readonly number[]): Promise<void> {
  const sold = any(mine, sides.erp.control.state().products);
  const { sku, name, unit_multiplier } = sold;
  const [product] = sides.marketplace.products().filter((one) => one.sku === sku);
  const fields = { sku, name, wholesale_price: casePrice(sold), unit_multiplier, quantity: '50' };
  const { id } = product ?? sides.marketplace.createProduct(fields);
  sides.marketplace.placeOrder({ customer: any(mine, buyers), items: [{ product: id, quantity: '1' }] });
  await clock.advance(mine.whole(500, 3_000));
}

/** Plays one step of the story, by its seed. */
export async function takeTurn(town: Town, index: number, buyers: readonly number[]): Promise<void> {
  const { seed, world, say } = town;
  const mine = createChance(`${seed} step ${index}`);
  switch (any(mine, world.turns)) {
    case 'deed':
      return deed(town, mine, buyers);
    case 'call faults':
      return callFaults(town, mine);
    case 'side fault':
      return sideFault(town, mine);
    case 'operator':
      return operate(town, mine);
    case 'money':
      return town.attempt('somebody pays', () => town.money?.enter(mine));
    case 'vanish':
      // No read before the next pass over everything shows this.
      town.laws.erpOrdersMayHide();
      return town.attempt('something vanishes', () => vanish(town.sides, mine));
    case 'table': {
      const isSeen = town.people?.act(mine) ?? true;
      if (!isSeen) town.mayBeUnseen();
      return;
    }
    case 'stranger':
      return actOnStranger(town, mine);
    case 'ahead':
      return say(town.rowsAhead?.arm(mine) ?? 'no row is ahead');
    case 'kill within': {
      const effects = mine.whole(0, 12);
      town.staff.killAfter(effects);
      return say(`the program will be killed after ${effects} effects`);
    }
    case 'wipe':
      town.wipe();
      town.strike('queue wiped');
      return say('the queue is wiped');
    case 'kill':
      if (town.staff.bridge() !== null) town.strike('killed between effects');
      return town.staff.kill();
    case 'still':
      return say(town.together?.pause(mine) ?? '');
    case 'still within':
      return say(town.together?.pauseWithin(mine) ?? '');
    case 'cut off':
      return say(town.together?.cut(mine) ?? '');
    case 'leave':
      return say(town.together?.leave(mine) ?? '');
  }
}

function deed({ world, sides, laws, attempt }: Town, mine: Chance, buyers: readonly number[]): void {
  const name = any(mine, world.deeds);
  // The earlier parts of a deed that is refused stay done.
  attempt(name, () => DEEDS[name]?.(sides, mine, buyers));
  if (laws.broken.length > 0) throw new Broken();
}

async function actOnStranger({ strangers, operator, note, say }: Town, mine: Chance): Promise<void> {
  try {
    say((await strangers?.act(mine, operator)) ?? 'no stranger');
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  note();
}

function callFaults({ world, planned, say }: Town, mine: Chance): void {
  const side = mine.pick(['marketplace', 'erp']);
  const times = mine.pick([1, 1, 1, 2, 3, 6]);
  for (let time = 0; time < times; time += 1) {
    // The very next calls are spared: most of them only read.
    for (let spared = mine.whole(0, 2); spared > 0; spared -= 1) planned[side].push(null);
    planned[side].push(any(mine, world.callFaults));
  }
  say(`${side}: ${planned[side].join(', ')}`);
}

function sideFault({ world, sides, ordersMayHide, strike, say }: Town, mine: Chance): void {
  const fault = any(mine, world.sideFaults);
  if (fault === 'rows visible late') ordersMayHide();
  armSide(fault, sides, mine);
  if (fault === 'quota used by another') strike(fault);
  say(fault);
}

async function operate({ operator, say, allow }: Town, mine: Chance): Promise<void> {
  const decision = await operator.decide(mine);
  if (decision === null) return;
  say(`an operator ${decision.told}`);
  if (decision.approved !== null) allow(decision.approved);
}

function any<T>(luck: Chance, from: readonly T[]): T {
  return from[luck.whole(0, from.length - 1)] as T;
}
