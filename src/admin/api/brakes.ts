import { z } from 'zod';
import { approvePlan, dropPlan, listPlans, PLAN_HASH, plansPage, shownItem, shownPlan } from '../../use/brakes.ts';
import { ordersBehind } from '../../use/order-behind.ts';
import { afterAs, change, instant, limit, named, ofAccount, page, route } from './route.ts';

const item = named('HeldWrite', {
  id: z.int(),
  ...change,
  why: z.string(),
  reason: z.string(),
  state: z.string(),
});

const order = z.object({
  customer: z.string().nullable(),
  total: z.string().nullable(),
  currency: z.string().nullable(),
  modified: z.string(),
});

const plan = named('HeldPlan', {
  id: z.int(),
  account: z.string(),
  flow: z.string(),
  kind: z.string(),
  state: z.enum(['open', 'dropped', 'approved']),
  hash: z.string(),
  expired: z.boolean(),
  holds_all: z.boolean(),
  reason: z.string().nullable(),
  decided_by: z.string().nullable(),
  created_at: instant,
  expires_at: instant,
  count: z.int().meta({ description: 'How many items the plan has, on whichever page' }),
  items: z.array(item.extend({ order: order.nullable().meta({ description: 'The order that the write is about' }) })),
});

const hash = z
  .string()
  .regex(PLAN_HASH, 'expected the hash of a plan, as GET /brakes shows it')
  .meta({ description: 'The hash of exactly what was shown' });

const after = afterAs((text) => {
  if (!/^\d{1,15}-\d{1,15}$/.test(text)) return null;
  const [of = 0, last = 0] = text.split('-').map(Number);
  return { plan: of, item: last };
});

export const BRAKE_ROUTES = [
  route({
    id: 'listHeldPlans',
    method: 'GET',
    path: '/brakes',
    summary: 'The plans that wait for an approval, with each write',
    query: ofAccount.extend({ after: after.optional(), limit }),
    answer: page(plan),
    async run(opened, { query }) {
      const all = await listPlans(opened, query.account, Date.now());
      const { plans, next } = plansPage(all, query.after ?? null, query.limit);
      const orders = await ordersBehind(
        opened,
        plans.flatMap(({ items }) => items),
      );
      return { items: plans.map((held) => shownPlan(held, orders)), next: next && `${next.plan}-${next.item}` };
    },
  }),
  route({
    id: 'approveHeldPlan',
    method: 'POST',
    path: '/brakes/{hash}/approve',
    summary: 'Approves the writes of a plan, exactly as shown, each once',
    parameters: z.strictObject({ hash }),
    body: z.strictObject({
      except: z
        .array(z.string().min(1).max(300))
        .max(1_000)
        .default([])
        .meta({ description: 'Items that stay held: their numbers, or FLOW/KEY' }),
    }),
    answer: z.object({ id: z.int(), hash, approved: z.array(item), excepted: z.array(item) }),
    async run(opened, { path, body }) {
      const { plan: of, approved, vetoed } = await approvePlan(opened, path.hash, body.except);
      return { id: of.id, hash: path.hash, approved: approved.map(shownItem), excepted: vetoed.map(shownItem) };
    },
  }),
  route({
    id: 'dropHeldPlan',
    method: 'POST',
    path: '/brakes/{hash}/drop',
    summary: 'Drops the writes of a plan: each stays held until its value changes',
    parameters: z.strictObject({ hash }),
    answer: z.object({ id: z.int(), dropped: z.array(item) }),
    async run(opened, { path }) {
      const { plan: of, dropped } = await dropPlan(opened, path.hash);
      return { id: of.id, dropped: dropped.map(shownItem) };
    },
  }),
];
