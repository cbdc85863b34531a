import { z } from 'zod';
import { PLAN_HASH } from '../../use/brakes.ts';
import type { PlanItem } from '../../use/plan-item.ts';
import { changesOf, changesPage } from '../../use/plans/shown.ts';
import type { StoredPlan } from '../../use/plans/stored.ts';
import { shownCause } from '../../use/shapes.ts';
import { account, afterNumber, asInstant, change, instant, limit, named, page, route, whole } from './route.ts';
import { shownTask, task } from './tasks.ts';

const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const ofPlan = account.extend({ plan: number.meta({ description: 'The number of a plan that is kept' }) });
const shownAs = z.strictObject({
  hash: z
    .string()
    .regex(PLAN_HASH, 'expected the hash of the plan, as it was shown')
    .meta({ description: 'The hash of exactly what was shown' }),
});

const done = z.object({ by: z.string(), at: instant });
const counts = z.record(z.string(), z.int());
const heldFor = shownCause.extend({ count: z.int(), flow: z.string(), key: z.string() });
const move = z.object({ target: z.string(), before: z.string(), after: z.string(), percent: z.string() });
const { flow, key, action, target, before, after } = change;

const summary = z.object({
  writes: z.int().meta({ description: 'To either side' }),
  links: z.int(),
  stopped: z.int().meta({ description: 'The writes and links that a pause, a brake or another hold stops' }),
  held: z.int(),
  held_for: z.array(heldFor),
  alerts: z.int(),
  actions: counts.meta({ description: 'Writes and links by their kind' }),
  zeroed: z.int().meta({ description: 'Stock figures that become zero' }),
  price_moves: z.array(move).meta({ description: 'The prices that move furthest' }),
  replaced: counts.meta({ description: 'Texts that a person wrote and that are replaced, by field' }),
});

const plan = named('Plan', {
  id: z.int(),
  account: z.string(),
  made: done,
  lifts_pauses: z
    .boolean()
    .meta({ description: 'Made as if no flow were paused. When it is applied, pauses do not stop its writes' }),
  hash: z.string(),
  entities: z.int(),
  summary,
  approved: done
    .extend({ excepted: z.array(z.string()).meta({ description: 'The items left out: flow/key' }) })
    .nullable(),
  applied: done
    .extend({
      written: z.int(),
      left: z.int(),
      first_left: z.array(
        z.object({ flow, key, action, target, before, after, state: z.string(), causes: z.array(shownCause) }),
      ),
    })
    .nullable(),
});

const write = z.object({
  action,
  target,
  before,
  after,
  why: z.string(),
  replaces: z.array(z.string()),
  stopped_by: shownCause.nullable(),
});
const item = named('PlanChange', {
  flow,
  key,
  actions: z.array(write),
  holds: z.array(shownCause),
  alerts: z.array(shownCause),
});

export const PLAN_ROUTES = [
  route({
    id: 'listPlans',
    method: 'GET',
    path: '/accounts/{account}/plans',
    summary: 'The plans that are kept, newest first',
    parameters: account,
    answer: page(plan),
    run: async ({ plans }, { path }) => whole(plans.list(path.account).map(shownPlan)),
  }),
  route({
    id: 'makePlan',
    method: 'POST',
    path: '/accounts/{account}/plans',
    summary: 'Starts a task that simulates the next passes on a copy and ends with a plan. Nothing is written',
    parameters: account,
    body: z.strictObject({
      lift_pauses: z.boolean().default(false).meta({ description: 'As if no flow were paused' }),
    }),
    answer: task,
    run: async ({ plans, by }, { path, body }) =>
      shownTask(plans.make(path.account, { liftsPauses: body.lift_pauses, by })),
  }),
  route({
    id: 'getPlan',
    method: 'GET',
    path: '/accounts/{account}/plans/{plan}',
    summary: 'One plan: its totals, and what became of it',
    parameters: ofPlan,
    answer: plan,
    run: async ({ plans }, { path }) => shownPlan(plans.get(path.account, path.plan)),
  }),
  route({
    id: 'listPlanChanges',
    method: 'GET',
    path: '/accounts/{account}/plans/{plan}/changes',
    summary: 'The writes of a plan, entity by entity, and its holds',
    parameters: ofPlan,
    query: z.strictObject({
      kind: z.string().max(60).optional().meta({ description: 'A kind of write, or stopped, held, alert' }),
      flow: z.string().max(40).optional(),
      sku: z.string().min(1).max(300).optional(),
      order: z.string().min(1).max(300).optional(),
      after: afterNumber,
      limit,
    }),
    answer: page(item),
    async run({ plans, store }, { path, query: { after: passed = 0, limit: asked, ...part } }) {
      const kept = plans.get(path.account, path.plan);
      const { items, next } = await changesPage(changesOf(plans, store, kept, part), passed, asked);
      return { items: items.map(shownItem), next: next === null ? null : String(next) };
    },
  }),
  route({
    id: 'approvePlan',
    method: 'POST',
    path: '/accounts/{account}/plans/{plan}/approve',
    summary: 'Approves exactly what was shown. Nothing is written before it is applied',
    parameters: ofPlan,
    body: shownAs.extend({
      except: z.array(z.string().max(400)).default([]).meta({ description: 'Items to leave out: flow/key' }),
    }),
    answer: plan,
    run: async ({ plans, by }, { path, body }) =>
      shownPlan(await plans.approve(path.account, path.plan, body.hash, body.except, by)),
  }),
  route({
    id: 'applyPlan',
    method: 'POST',
    path: '/accounts/{account}/plans/{plan}/apply',
    summary: 'Starts a task that makes the writes of an approved plan that are still due',
    parameters: ofPlan,
    body: shownAs,
    answer: task,
    run: async ({ plans, by }, { path, body }) => shownTask(await plans.apply(path.account, path.plan, body.hash, by)),
  }),
];

function shownDone({ by, atMs }: StoredPlan['made']) {
  return { by, at: asInstant(atMs) };
}

function shownPlan({ id, account: of, hash, entities, summary: all, ...kept }: StoredPlan) {
  const { made, liftsPauses, approved, applied } = kept;
  const { heldFor: held_for, priceMoves: price_moves, ...totals } = all;
  return {
    id,
    account: of,
    made: shownDone(made),
    lifts_pauses: liftsPauses,
    hash,
    entities,
    summary: { ...totals, held_for, price_moves },
    approved: approved && { ...shownDone(approved), excepted: approved.except ?? [] },
    applied: applied && {
      ...shownDone(applied),
      written: applied.written,
      left: applied.left,
      first_left: applied.firstLeft,
    },
  };
}

function shownItem({ actions, ...rest }: PlanItem) {
  return { ...rest, actions: actions.map(({ stoppedBy, ...one }) => ({ ...one, stopped_by: stoppedBy })) };
}
