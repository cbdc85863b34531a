import { Decimal } from 'decimal.js';
import { type Cause, CODES, type Code } from '../../src/domain/causes/cause.ts';
import { Refusal as ErpRefusal } from '../../src/sandbox/erp/refusal.ts';
import { type Fields, Refusal as MarketRefusal } from '../../src/sandbox/marketplace/wire-values.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { disagreements } from '../support/agreement.ts';
import { alertedOf, type HeldEntity, heldOf, shownHeld } from '../support/held.ts';
import type { Stage } from '../support/stage.ts';
import type { Undone } from './acted.ts';
import type { Act, Outcome } from './cell.ts';
import { type Entry, MAX_PASSES } from './place.ts';
import { REMEDIES } from './remedies.ts';
import { NOTICE_MS, type Opening, openScene, type PlayedScene } from './scene.ts';
import { CannotHappen, type Scene } from './subject.ts';
import type { Side } from './words.ts';

export interface Played extends Opening {
  readonly side: Side;
  readonly act: Act;
  readonly outcome: Outcome;
}

/** A request that is sent again without effect is sent this often at most: once, and once more when the first was in doubt. */
const MAX_SAME = 2;
/** A case ends after so many steps of people, each of which the program names. */
const MAX_STEPS = 3;

/** Everything that was not as the table says; empty when it was. 'cannot happen': the side does not let people do it. */
export async function play(
  { side, act, outcome, ...opening }: Played,
  tell: (line: string) => void = () => {},
): Promise<readonly string[] | 'cannot happen'> {
  const scene = openScene(opening, tell);
  const { isBusy } = opening;
  try {
    let from = 0;
    await scene.play(side, (inside) => {
      from = scene.sent.length;
      people(act, inside);
    });
    const wrong = [...(await quiet(scene))];
    const needs = await needsOf(scene);
    for (const need of [...needs.held, ...needs.told]) scene.say(`needs: ${shownHeld(need)}`);
    const undone = scene.acted.undone(scene.sides);
    wrong.push(
      ...judge(outcome, {
        isBusy,
        needs,
        undone,
        differ: differencesOf(scene),
        journal: scene.journal(),
        number: scene.number,
        carried: isBusy || scene.sent.slice(from).some((one) => one.side !== side && one.status < 300),
      }),
      ...(isBusy ? [] : repeated(scene, from)),
    );
    if (outcome.is === 'held' || outcome.is === 'told') wrong.push(...(await follow(scene, needs)));
    return wrong;
  } catch (error) {
    if (error instanceof CannotHappen) {
      tell(`cannot happen: ${error.message}`);
      return 'cannot happen';
    }
    return [`it failed: ${error instanceof Error ? error.stack : String(error)}`];
  } finally {
    scene.close();
  }
}

/** @throws CannotHappen when the side does not let people do it */
function people(act: Act, scene: Scene): void {
  try {
    act(scene);
  } catch (error) {
    if (error instanceof MarketRefusal || error instanceof ErpRefusal) throw new CannotHappen(error.message);
    throw error;
  }
}

/** Passes until nothing is written. */
async function quiet(scene: PlayedScene): Promise<string[]> {
  for (let number = 1; number <= MAX_PASSES; number += 1) {
    const { written, pending, failure } = await scene.pass();
    scene.say(`pass ${number}: written ${written}, pending ${pending} ${failure?.kind ?? ''}`);
    if (written === 0 && pending === 0) return [];
  }
  return [`not quiet after ${MAX_PASSES} passes`];
}

interface Found {
  readonly isBusy: boolean;
  readonly needs: Needs;
  readonly undone: readonly Undone[];
  readonly differ: readonly string[];
  readonly journal: readonly Entry[];
  /** The subject's order. */
  readonly number: string;
  /** The program wrote to the other side. */
  readonly carried: boolean;
}

function judge(outcome: Outcome, { isBusy, needs: all, undone, differ, journal, number, carried }: Found): string[] {
  const needs = isNamed(outcome, 'payment-order-unknown') ? all : withoutWaiting(all, number);
  const codes = alone(new Set(codesOf(needs)));
  const kept = undone.map(untold);
  const nobody = codes.size === 0 ? [] : [`nobody should have to act: ${shownNeeds(needs)}`];
  const differing = differ.map((one) => `the sides differ: ${one}`);
  if (outcome.is === 'carried')
    return [...nobody, ...kept, ...differing, ...(carried ? [] : ['nothing was carried to the other side'])];
  if (outcome.is === 'left') return [...nobody, ...kept];
  if (outcome.is === 'noted') {
    // A write that a brake counts has its name too.
    const entries = journal.filter(({ action }) => `${action}:`.startsWith(`${outcome.action}:`));
    const none = entries.length === 0 ? [`not in the journal: ${outcome.action}`] : [];
    return [...nobody, ...none, ...undone.filter((one) => !isNoted(one, entries)).map(untold)];
  }
  const missing = outcome.codes.filter((code) => !codes.has(code));
  const more = [...codes].filter((code) => !outcome.codes.includes(code));
  // Other orders may wait for what is told of this one.
  const isHeld = needs.held.length > 0 && !(isBusy && outcome.is === 'told');
  return [
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
    ...(more.length === 0 ? [] : [`besides: ${more.join(', ')}`]),
    ...(isHeld === (outcome.is === 'held') ? [] : [isHeld ? 'held, and not only told' : 'told, and not held']),
    ...(missing.length + more.length === 0 && codes.size > 0 ? [] : [...kept, ...differing]),
  ];
}

/** Charges wait for the lines, of which another message tells: alone, such a message is one too many. */
function alone(codes: ReadonlySet<Code>): ReadonlySet<Code> {
  return codes.size === 1 ? codes : codes.difference(new Set<Code>(['charges-wait']));
}

const untold = ({ text }: Undone): string => `undone untold: ${text}`;

const isNamed = (outcome: Outcome, code: Code): boolean => 'codes' in outcome && outcome.codes.includes(code);

/** The journal has the value of people: replaced, or noticed where they changed it. A long one is shown in part. */
function isNoted({ value = '' }: Undone, entries: readonly Entry[]): boolean {
  return entries.some(({ before, after }) => `${before} ${after}`.includes(value.slice(0, 50)));
}

interface Needs {
  readonly held: readonly HeldEntity[];
  readonly told: readonly HeldEntity[];
}

function shownNeeds({ held, told }: Needs): string {
  return [...held.map((one) => `held ${shownHeld(one)}`), ...told.map((one) => `told ${shownHeld(one)}`)].join('; ');
}

/** The same write, again and again. A value that is set again after another one is no repetition. */
function repeated({ sent }: PlayedScene, from: number): string[] {
  const runs: { readonly whole: string; count: number }[] = [];
  const current = new Map<string, (typeof runs)[number]>();
  for (const { side, request, status, pass } of sent.slice(from)) {
    const what = `${side} ${request.method} ${request.target}`;
    // A pass that people begin tries once more what was refused.
    const whole = `${what} ${request.body}${status < 400 ? '' : ` in pass ${pass}`}`;
    const key = request.method === 'POST' ? whole : what;
    let run = current.get(key);
    if (run?.whole !== whole) runs.push((run = { whole, count: 0 }));
    run.count += 1;
    current.set(key, run);
  }
  return runs.flatMap(({ whole, count }) => (count > MAX_SAME ? [`sent ${count} times: ${whole.slice(0, 200)}`] : []));
}

function differencesOf({ sides, skuOf }: Scene): string[] {
  const { marketplace, erp } = sides;
  const isThere = new Set(marketplace.products().map(({ id }) => id));
  const goneSku = (id: number) => (isThere.has(id) ? undefined : skuOf(id));
  const orders = disagreements({ marketplace, erp } as unknown as Stage, 'b', goneSku);
  return [...orders, ...paymentsThatDiffer(sides), ...customersThatDiffer(sides), ...transportsThatDiffer(sides)];
}

async function needsOf(scene: PlayedScene): Promise<Needs> {
  const { work, facts, invalidRows } = scene.store();
  const alerts = await scene.now(alertsOf({ account: 'main', store: { facts } }));
  const invalid = await scene.now(invalidRows.list('main'));
  for (const { collection, what } of invalid) scene.say(`invalid row: ${collection} ${what}`);
  const held = heldOf(await scene.now(work.held()), await scene.now(work.failed()));
  return { held, told: alertedOf(alerts) };
}

/** People do the next step that the program names, and the one that follows from it. Then the case has to end. */
async function follow(scene: PlayedScene, first: Needs): Promise<string[]> {
  const wrong: string[] = [];
  let needs = first;
  for (let step = 1; step <= MAX_STEPS && codesOf(needs).some((code) => CODES[code].turn !== 'nobody'); step += 1) {
    for (const { code, params } of causesOf(needs)) {
      if (CODES[code].turn === 'nobody') continue;
      const remedy = REMEDIES[code] as ((scene: PlayedScene, params: object) => unknown) | undefined;
      if (remedy === undefined) return [`${code}: no test does the next step that it names: ${shownNeeds(needs)}`];
      scene.say(`people follow the advice of ${code}`);
      await remedy(scene, params);
    }
    await scene.clock.advance(NOTICE_MS);
    wrong.push(...(await quiet(scene)));
    needs = await needsOf(scene);
  }
  const isOver = codesOf(needs).every((code) => CODES[code].turn === 'nobody');
  return isOver ? wrong : [...wrong, `after the next steps were done: ${shownNeeds(needs)}`];
}

/** Without the payments that only wait for the subject's order. */
function withoutWaiting({ held, told }: Needs, number: string): Needs {
  const isWaiting = ({ code, params }: Cause) =>
    code === 'payment-order-unknown' && (params as { order: string }).order === number;
  return { held: held.filter(({ causes }) => !causes.every(isWaiting)), told };
}

/** One cause of each code. */
function causesOf({ held, told }: Needs): Cause[] {
  const all = [...held, ...told].flatMap(({ causes }) => causes);
  return [...new Map(all.map((cause) => [cause.code, cause])).values()];
}

const codesOf = (needs: Needs): Code[] => causesOf(needs).map(({ code }) => code);

/** Payments that one side alone has, by their amount. */
function paymentsThatDiffer({ marketplace, erp }: Scene['sides']): string[] {
  const plain = (amount: unknown) => new Decimal(String(amount)).toFixed();
  const there = marketplace.records('order-payments').map(({ total }) => plain(total));
  const here = erp.control
    .state()
    .payments.filter(({ voided }) => !voided)
    .map(({ amount }) => plain(amount));
  const only = (some: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return some.filter((amount) => {
      const at = left.indexOf(amount);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return [
    ...only(there, here).map((amount) => `the ERP does not have the payment of ${amount}`),
    ...only(here, there).map((amount) => `the marketplace does not have the payment of ${amount}`),
  ];
}

/** Transports that are on their way or delivered, and that the order in the ERP shows otherwise or not at all. */
function transportsThatDiffer({ marketplace, erp }: Scene['sides']): string[] {
  const all = marketplace.records('transport-orders').filter(({ status }) => status !== 'deleted');
  return erp.control.state().orders.flatMap(({ id, reference, transports = [] }) => {
    const there = all
      .filter((one) => one['mp_order_number'] === reference && ['shipped', 'delivered'].includes(String(one['status'])))
      .map((one) => `${String(one['transport_order_id'])} ${String(one['status'])}`);
    const here = transports.map((one) => `${one.id} ${one.status}`);
    const [shown, told] = [there.toSorted().join(', '), here.toSorted().join(', ')];
    return shown === told ? [] : [`ERP order ${id} has the transports ${told}, and the marketplace ${shown}`];
  });
}

/** Customers that one side alone has, or whose name or state differs. */
function customersThatDiffer({ marketplace, erp }: Scene['sides']): string[] {
  const shown = marketplace.records('customers');
  const idIn = (row: Fields) => (row['external_ids'] as Readonly<Record<string, unknown>>)['stockbridge'];
  const customers = erp.control.state().customers;
  const unknown = shown.filter((row) => !customers.some(({ id }) => id === idIn(row)));
  return [
    ...unknown.map((row) => `the ERP does not have customer ${String(row['id'])} (${String(row['name'])})`),
    ...customers.flatMap(({ id, name, active = true, deleted = false }) => {
      const [row, ...more] = shown.filter((one) => idIn(one) === id);
      if (row === undefined) return deleted ? [] : [`the marketplace does not have customer ${id} (${name})`];
      return [
        ...(more.length === 0 ? [] : [`customer ${id} stands ${more.length + 1} times on the marketplace`]),
        ...(row['name'] === name ? [] : [`customer ${id} is ${name}, and ${String(row['name'])} on the marketplace`]),
        ...((row['is_archived'] === true) === (active && !deleted)
          ? [`customer ${id} is archived on one side alone`]
          : []),
      ];
    }),
  ];
}
