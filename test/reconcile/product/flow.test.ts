import { beforeEach, describe, expect, test } from 'vitest';
import { recordProductPage } from '../../../src/reading/shadow.ts';
import type { AccountContext } from '../../../src/reconcile/context.ts';
import { observePolicy } from '../../../src/reconcile/observe-policy.ts';
import { FLOW_RUNS } from '../../../src/reconcile/run.ts';
import { at, erpProduct, useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const row = {
  id: 70,
  sku: erpProduct().sku,
  name: erpProduct().name,
  description: erpProduct().description,
  quantity: 5,
  reserved_qty: 0,
  available_inventory: 5,
};

/** `patched` is what a patch of listing 70 answers; the list shows `row`, which says nothing of being archived. */
function stateless(patched: unknown) {
  const called: string[] = [];
  const client = {
    call: async (operation: string) => {
      called.push(operation);
      return operation === 'products.patch' ? patched : null;
    },
    list: async () => ({ count: 1, more: false, rows: [row], raw: [row], misfits: [] }),
  } as unknown as AccountContext['client'];
  const brakes = { archive: { count: 10, percent: '100' } };
  const context = accountContext(shelf().store, accountConfig({ brakes }), { client });
  return {
    called,
    erpShows: (changes: Parameters<typeof erpProduct>[0]) =>
      shelf().store.erp.recordProducts('main', [erpProduct(changes)], { listing: null, lane: 'poll' }),
    read: () => recordProductPage(context, { rows: [row], misfits: [] }, { window: null, lane: 'poll' }),
    async reconcile() {
      called.length = 0;
      const policyNow = { ...context, now: () => shelf().nowMs };
      return FLOW_RUNS.product.reconcile(context, look, (action) =>
        observePolicy(policyNow, 'product', false, action.brake),
      );
    },
  };
}

describe('a marketplace whose rows do not say that a listing is archived', () => {
  beforeEach(async () => {
    await shelf().store.mappings.link({
      account: 'main',
      kind: 'product',
      marketplaceId: '70',
      erpId: 'P-1',
      how: 'sku',
    });
  });

  test.each([
    ['the whole listing', row],
    ['the figures alone', { quantity: 5, reserved_qty: 0, available_inventory: 5 }],
    ['nothing', null],
  ])('is archived once and brought back once, when a patch answers %s', async (_, patched) => {
    const { called, erpShows, read, reconcile } = stateless(patched);
    await read();
    await erpShows({});
    await reconcile();
    await erpShows({ active: false, changedAt: at(1) });
    await reconcile();
    expect(called).toEqual(['products.archive']);
    await read();
    await reconcile();
    expect(called).toEqual([]);
    await erpShows({ active: true, changedAt: at(2) });
    await reconcile();
    expect(called).toEqual(['products.patch']);
    await read();
    await reconcile();
    expect(called).toEqual([]);
  });
});
