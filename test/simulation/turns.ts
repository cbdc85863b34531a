import { type Chance, createChance } from '../../src/sandbox/chance.ts';
import { DEEDS } from './people.ts';
import { armSide } from './side-faults.ts';
import type { Town } from './town.ts';
import { vanish } from './vanish.ts';

/** The story is over: a law is broken. */
export class Broken extends Error {}

/** Makes the entities that exist before the first start of the program. Returns the customers who may buy. */
export async function begin(town: Town): Promise<readonly number[]> {
  const { seed, world, sides, laws, editsLaw } = town;
  const mine = createChance(`${seed} begin`);
  sides.erp.control.seed(world.products, 1 + (seed % 1_000));
  for (const { sku } of sides.erp.control.state().products) sides.erp.control.setStock(sku, String(mine.whole(20, 99)));
  town.strangers?.list(createChance(`${seed} strangers listed`));
  const buyers = ['NV', 'CA'].map((state) => sides.marketplace.addCustomer({ name: `Shop in ${state}`, state }));
  for (let order = 0; order < world.orders; order += 1) await orderBefore(town, mine, buyers);
  laws.note();
  editsLaw.note();
  if (world.answers !== null) answerSparsely(town, world.answers);
  town.staff.start();
  return buyers;
}

function answerSparsely({ sides, strike, say }: Town, keep: 'id' | 'inventory'): void {
  sides.marketplace.faults.set({ kind: 'sparse-answer', keep });
  strike(`answers of ${keep}`);
  say(`the marketplace answers writes with no more than: ${keep}`);
}

/** The marketplace was used before: somebody listed a product there, and it was ordered. */
async function orderBefore({ sides, clock }: Town, mine: Chance, buyers: readonly number[]): Promise<void> {
  const { sku, name, price, unit_multiplier } = any(mine, sides.erp.control.state().products);
  const [product] = sides.marketplace.products().filter((one) => one.sku === sku);
  const fields = { sku, name, wholesale_price: price, unit_multiplier, quantity: '50' };
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
      return attempt(town, () => town.money?.enter(mine) ?? 'no money');
    case 'vanish':
      // No read before the next pass over everything shows this.
      town.laws.erpOrdersMayHide();
      return attempt(town, () => vanish(town.sides, mine));
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

function deed({ world, sides, laws, editsLaw, say }: Town, mine: Chance, buyers: readonly number[]): void {
  const name = any(mine, world.deeds);
  let told = name;
  try {
    DEEDS[name]?.(sides, mine, buyers);
  } catch (error) {
    // People also try things that are refused. The earlier parts of such a deed stay done.
    if (!isRefusal(error)) throw error;
    told = `${name}, which is refused`;
  }
  say(told);
  laws.note();
  editsLaw.note();
  if (laws.broken.length > 0) throw new Broken();
}

/** Plays a deed, which may be refused. */
function attempt({ say, laws }: Town, doIt: () => string): void {
  try {
    say(doIt());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    say('somebody tries what is refused');
  }
  laws.note();
}

async function actOnStranger({ strangers, operator, laws, say }: Town, mine: Chance): Promise<void> {
  try {
    say((await strangers?.act(mine, operator)) ?? 'no stranger');
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  laws.note();
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

function sideFault({ world, sides, laws, editsLaw, coverageLaw, strike, say }: Town, mine: Chance): void {
  const fault = any(mine, world.sideFaults);
  if (fault === 'rows visible late') {
    laws.ordersMayHide();
    coverageLaw.mayHide('orders');
    editsLaw.mayHide();
  }
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

function isRefusal(error: unknown): boolean {
  return error instanceof Error && ['Refusal', 'Nothing'].includes(error.constructor.name);
}

function any<T>(luck: Chance, from: readonly T[]): T {
  return from[luck.whole(0, from.length - 1)] as T;
}
