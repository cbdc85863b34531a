import { expect, test, vi } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import type * as StockFlow from '../../../src/flows/stock/flow.ts';
import { untilBroken } from '../until-broken.ts';

const REMEMBERED_MS = 5_000;

vi.mock('../../../src/flows/stock/flow.ts', async (original) => {
  const { stockFlow } = await original<typeof StockFlow>();
  type Snapshot = Awaited<ReturnType<typeof stockFlow.observe>>;
  const payloads = new WeakMap<AccountContext, Map<string, { atMs: number; snapshot: Snapshot }>>();
  const observe: typeof stockFlow.observe = async (context, look, fresh) => {
    const known = payloads.get(context) ?? new Map<string, { atMs: number; snapshot: Snapshot }>();
    payloads.set(context, known);
    const payload = known.get(look.key);
    if (payload !== undefined && context.now() - payload.atMs < REMEMBERED_MS) return payload.snapshot;
    const snapshot = await stockFlow.observe(context, look, fresh);
    known.set(look.key, { atMs: context.now(), snapshot });
    return snapshot;
  };
  return { stockFlow: { ...stockFlow, observe } };
});

test('acting on what a job knew when it was queued is caught', async () => {
  expect(await untilBroken(400, () => true, /^I(4|6|11):/)).not.toBe('');
});
