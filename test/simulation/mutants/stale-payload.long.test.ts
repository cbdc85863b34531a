import { expect, test, vi } from 'vitest';
import type * as StockFlow from '../../../src/flows/stock/flow.ts';
import { untilBroken } from '../until-broken.ts';

const REMEMBERED_MS = 5_000;

vi.mock('../../../src/flows/stock/flow.ts', async (original) => {
  const { stockFlow } = await original<typeof StockFlow>();
  type Observe = typeof stockFlow.observe;
  type Fresh = typeof stockFlow.observeFresh;
  type Context = Pick<Parameters<Observe>[0], 'now'>;
  type Snapshot = Awaited<ReturnType<typeof stockFlow.observe>>;
  const payloads = new WeakMap<object, Map<string, { atMs: number; snapshot: Snapshot }>>();
  const remembering = async (context: Context, key: string, look: () => Promise<Snapshot>) => {
    const known = payloads.get(context) ?? new Map<string, { atMs: number; snapshot: Snapshot }>();
    payloads.set(context, known);
    const payload = known.get(key);
    if (payload !== undefined && context.now() - payload.atMs < REMEMBERED_MS) return payload.snapshot;
    const snapshot = await look();
    known.set(key, { atMs: context.now(), snapshot });
    return snapshot;
  };
  const observe: Observe = (context, key) => remembering(context, key, () => stockFlow.observe(context, key));
  const observeFresh: Fresh = (context, look) =>
    remembering(context, look.key, () => stockFlow.observeFresh(context, look));
  return { stockFlow: { ...stockFlow, observe, observeFresh } };
});

test('the simulation detects a job that writes the figure known when it was queued', async () => {
  expect(await untilBroken({ first: 205, maxSeeds: 400, law: /^I(4|6|11):/ })).not.toBe('');
});
