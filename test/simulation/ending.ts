import { alertsOf } from '../../src/shadow/alerts.ts';
import type { StoredInvalidRow } from '../../src/store/reading.ts';
import type { SyncResult } from '../../src/use/sync.ts';
import { disagreements } from '../support/agreement.ts';
import { alertedOf, type HeldEntity, heldOf, isHeld, shownHeld } from '../support/held.ts';
import { MAX_DOWN_MS } from './alone.ts';
import type { Bridge } from './bridge.ts';
import { judgePlan } from './plan-law.ts';
import { MAX_LATE_MS } from './side-faults.ts';
import { comparedSides } from './sides.ts';
import { LONGEST_STILL_MS } from './together.ts';
import type { Town } from './town.ts';

const PASS_LIMIT_MS = 30 * 60_000;
const MAX_TRIES = 20;
/** After any kill, some daemon works the account again within this time. */
const AWAY_LIMIT_MS = 60_000;

/** The faults end, people rest: within two passes both sides agree, and a further one has nothing to write. */
export async function settle(town: Town): Promise<void> {
  const { world, laws } = town;
  await rest(town);
  // Without a restart, some listings stay unlinked: their products wait, and no listing is made twice.
  if (world.restarts) await town.strangers?.linkAll(town.operator);
  town.note();
  if (world.plans) await planAndPass(town);
  // A listing whose return from the archive was approved may be held once more, for its price.
  for (let round = 0; round < 2 && (world.brakes ?? world.happenings) !== null; round += 1) {
    await passOver(town);
    for (const approved of await town.operator.approveAll()) town.allow(approved);
  }
  const passes: SyncResult[] = [];
  for (let number = 0; number < 3; number += 1) {
    const result = await passOver(town);
    passes.push(result);
    // A further pass would find the same.
    if (number === 1 && result.written === 0 && result.pending === 0) break;
  }
  town.judgeRecord();
  town.coverageLaw.judgeAll();
  if (laws.broken.length > 0) return;
  await judgeAgreement(town);
  const pending = passes[1]?.pending;
  const written = passes.at(-1)?.written;
  if (pending !== 0) laws.broken.push(`I6: after two passes, ${pending} keys are pending`);
  if (written !== 0) laws.broken.push(`I6: a further pass wrote ${written} times`);
}

/** Nothing happens between the plan and the pass, so the pass writes what the plan showed. */
async function planAndPass(town: Town): Promise<void> {
  const last = town.journalAfter(0).at(-1)?.id ?? 0;
  const { items, unmarked } = await town.plan();
  for (const write of unmarked) town.laws.broken.push(`I13: planned, and no work waits for it: ${write}`);
  town.say(`plan: ${items.length} entities`);
  await passOver(town);
  const plans = await town.clock.until(running(town).context.store.brakes.list(), 1_000);
  const held = plans
    .filter(({ plan }) => plan.state === 'open')
    .flatMap(({ plan, items: its }) => its.map((item) => ({ ...item, flow: plan.flow })));
  town.laws.broken.push(...judgePlan(items, town.journalAfter(last), held));
}

async function rest(town: Town): Promise<void> {
  const { world, clock } = town;
  town.people?.finish();
  town.say('everything rests');
  town.endFaults();
  town.staff.stopPolling();
  // Requests that are still on their way arrive.
  await clock.advance(2 * world.timeoutMs + MAX_LATE_MS + 500);
  // Paused daemons go on.
  if (town.together !== null) await clock.advance(LONGEST_STILL_MS);
  if (world.restarts) town.staff.kill();
  for (let waitedMs = 0; town.staff.bridge() === null && waitedMs < AWAY_LIMIT_MS; waitedMs += MAX_DOWN_MS)
    await clock.advance(MAX_DOWN_MS);
}

/**
 * Makes a pass. If another program with the same key leaves no room in the quota, the pass is made again, as an operator would
 * do.
 */
async function passOver(town: Town): Promise<SyncResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await town.clock.until(running(town).sync(), PASS_LIMIT_MS);
    town.say(`pass: ${JSON.stringify(result)}`);
    if (result.failure?.kind !== 'rate-limited' || tries === MAX_TRIES) return result;
    await town.clock.advance(result.failure.retryAfterMs ?? 0);
  }
}

/** Every difference between the sides has to be held or failed, with a reason. */
async function judgeAgreement(town: Town): Promise<void> {
  const { world, clock, sides, laws, say } = town;
  const { brakes } = running(town).context.store;
  const held = await heldNow(town);
  const skuOf = town.toldLaw?.skuOf ?? town.strangers?.skuOf;
  const differ = disagreements(comparedSides(sides), world.variant.strategy, skuOf).filter(
    (line) => !isHeld(line, held) && !(town.toldLaw?.isTold(line, held) ?? false),
  );
  laws.broken.push(...(town.toldLaw?.judgeAll(held, town.journal()) ?? []));
  for (const one of held) {
    const waits = one.causes.some(({ code, params }) => code === 'brake-plan' && params.waits);
    if (waits) laws.broken.push(`I11: approved, and ${shownHeld(one)}`);
  }
  for (const { plan, count } of await clock.until(brakes.open('main'), 1_000))
    if (count === 0) laws.broken.push(`I11: plan ${plan.id} waits for an operator, and holds nothing`);
  for (const { collection, what } of await invalidRows(town))
    if (collection !== 'erp-products' || !isLeftInvalid(town, what))
      laws.broken.push(`I19: ${collection} ${what} is right again, and on record as invalid`);
  town.money?.judgeAll(held);
  for (const line of differ) laws.broken.push(`I6: ${line}`);
  if (differ.length > 0) for (const one of held) say(`held: ${shownHeld(one)}`);
}

/** All that is held, failed or told. */
export async function heldNow(town: Town): Promise<HeldEntity[]> {
  const { work, facts } = running(town).context.store;
  const now = <Result>(query: Promise<Result>) => town.clock.until(query, 1_000);
  const told = await now(alertsOf({ account: 'main', store: { facts } }));
  return [...heldOf(await now(work.held()), await now(work.failed())), ...alertedOf(told)];
}

/** People may leave a product of the ERP with cases of no size. */
function isLeftInvalid({ sides }: Town, id: string): boolean {
  const { products } = sides.erp.control.state();
  return products.some((one) => one.id === id && Number(one.unit_multiplier) <= 0);
}

/** The rows that are on record as invalid. */
export function invalidRows(town: Town): Promise<StoredInvalidRow[]> {
  return town.clock.until(running(town).context.store.invalidRows.list('main'), 1_000);
}

function running({ staff }: Town): Bridge {
  const now = staff.bridge();
  if (now === null) throw new Error('the program does not run');
  return now;
}
