import { isLink, withoutBrake } from '../../src/domain/action.ts';
import type { ShownCause } from '../../src/domain/causes/cause.ts';
import type { AnyCause } from '../../src/domain/causes/entry.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { isShownAs } from '../../src/use/rehearsal/new-ids.ts';
import type { Written } from './record.ts';

export interface Write {
  readonly flow: string;
  readonly key: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * I13: compares the writes of the pass after a plan with the plan, write for write. These differences are allowed. Only the
 * last write of a stock figure counts: workers may write a product's orders and figures in any order, and write a figure again
 * whose read crossed its write. An archived listing may have got its last figure before that or not. The workers also decide
 * which of two orders makes their customer, and whether an order is created just before its listing is archived. A transition
 * or a created order moves the marketplace's own figures. Then the figures on the way say nothing, and both sides have to
 * agree at the end. A planned write that the other side refused was still foreseen, for example a payment whose order is gone
 * although no list shows that. So were the further writes of that entity, and the stock that a refused change of an order
 * would have moved. A write that a brake holds for its number may be made before the pass has counted the others, as far as
 * the limit allows: that is the brakes' own law. A figure on the way whose next figure a brake holds is judged by that next
 * figure.
 *
 * @param held the writes that brakes hold after the pass
 */
export function judgePlan(items: readonly PlanItem[], written: readonly Written[], held: readonly Write[]): string[] {
  const isMoved =
    [...items.flatMap(({ actions }) => actions), ...written].some(({ action }) => MOVING.test(action)) ||
    written.some(({ flow, outcome }) => flow === 'order-in' && outcome === 'refused');
  const made = written.map((write) => ({ ...write, action: withoutBrake(write.action) }));
  const settled = (writes: readonly Write[]) => [...others(writes), ...(isMoved ? [] : figures(writes))];
  const planned = settled(
    items.flatMap(({ flow, key, actions }) =>
      actions
        .filter(({ action, stoppedBy }) => stoppedBy === null && !isLink(action))
        .map((write) => ({ flow, key, ...write })),
    ),
  );
  const done = (outcome: string, after: readonly Write[] = []) =>
    settled([...made.filter((write) => write.outcome === outcome), ...after]);
  const next = held.filter((one) => isFigure(one) && made.some((write) => isFigure(write) && write.key === one.key));
  const left = done('written', next);
  const refused = done('refused');
  const broken: string[] = [];
  for (const write of planned) {
    const found = left.findIndex((one) => isSame(write, one));
    if (found !== -1) left.splice(found, 1);
    else if (!refused.some((one) => isSame(write, one) || restsOn(write, one)))
      broken.push(`I13: planned and not written: ${shown(write)}`);
  }
  const archived = new Set(
    items.filter(({ holds }) => isWaitingForListing(holds)).map(({ flow, key }) => `${flow} ${key}`),
  );
  const braked = settled(
    items.flatMap(({ flow, key, actions }) =>
      actions
        .filter(({ stoppedBy }) => stoppedBy !== null && isHeldForNumber(stoppedBy))
        .map((write) => ({ flow, key, ...write })),
    ),
  );
  const isForeseen = (write: Write) =>
    (write.action === 'order-out.create' && archived.has(`${write.flow} ${write.key}`)) ||
    braked.some((one) => isSame(one, write));
  for (const write of left.filter((one) => !isForeseen(one)))
    broken.push(`I13: written and not planned: ${shown(write)}`);
  return broken;
}

const MOVING = /^(order-in\.(transition|lines|line-remove)|order-out\.create)/;
const isFigure = ({ action }: Write) => action === 'stock.write';
const others = (writes: readonly Write[]) => writes.filter((write) => !isFigure(write));

/** The change of each stock figure from the first write to the last; none where the writes undo each other. */
function figures(writes: readonly Write[]): Write[] {
  const byKey = Map.groupBy(writes.filter(isFigure), ({ key }) => key);
  for (const { action, key } of writes) if (action === 'product.archive') byKey.delete(key);
  const last = [...byKey.values()].map((all) => ({ ...(all.at(-1) as Write), before: all[0]?.before ?? null }));
  return last.filter(({ before, after }) => before !== after);
}

function isWaitingForListing(holds: PlanItem['holds']): boolean {
  return holds.some(({ code }) => code === 'listing-archived');
}

function isHeldForNumber({ code, params }: ShownCause): boolean {
  const { exceeds } = params as { exceeds?: AnyCause };
  return code === 'brake-plan' && ['too-many-writes', 'too-large-a-share'].includes(exceeds?.code ?? '');
}

function isSame(planned: Write, written: Write): boolean {
  const names = ['flow', 'action', 'target', 'after'] as const;
  const isShared = planned.action === 'customer-in.create';
  return (
    (isShared || isShownAs(planned.key, written.key)) && names.every((name) => isShownAs(planned[name], written[name]))
  );
}

function shown({ flow, key, action, target, after }: Write): string {
  return `${flow} ${key} ${action} ${target}: ${after}`;
}

/** The writes after a refused one of the same entity are not made: they may rest on it. A payment rests on the entry of its order. */
function restsOn({ flow, key, after }: Write, refused: Write): boolean {
  if (refused.action === 'order-in.create' && flow === 'payment-in')
    return after?.endsWith(` for ${refused.key}`) === true;
  return flow === refused.flow && key === refused.key;
}
