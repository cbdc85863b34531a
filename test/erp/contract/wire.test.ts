import { expect, onTestFinished, test } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { ErpOrderDraft } from '../../../src/erp/connector.ts';
import { createContractErp } from '../../../src/erp/contract/connector.ts';
import type { Cut, WireExchange } from '../../../src/erp/wire.ts';
import { startSandboxErp } from '../../../src/sandbox/erp/server.ts';
import { exact } from '../../support/units.ts';

const DRAFT: ErpOrderDraft = {
  reference: 'R-1',
  status: 'draft',
  customer: {},
  currency: 'USD',
  lines: [{ sku: 'SB-0001', quantity: exact('1.50'), unitPrice: exact('2') }],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: exact('3'),
  note: '',
};

async function connected(cuts: Cut[]) {
  const sandbox = await startSandboxErp({ tokens: ['sesame-4711'] });
  sandbox.control.seed(2);
  const seen: WireExchange[] = [];
  const wire = { saw: (one: WireExchange) => void seen.push(one), cut: () => cuts.shift() ?? null };
  const erp = createContractErp({ url: sandbox.url, token: 'sesame-4711', timeoutMs: 5_000, wire });
  onTestFinished(async () => {
    await erp.close();
    await sandbox.close();
  });
  return { erp, sandbox, seen };
}

test('each exchange is traced as it was sent and received', async () => {
  const { erp, seen } = await connected([]);
  await erp.createOrder(DRAFT);
  expect(seen.map(({ operation }) => operation)).toEqual(['POST /v1/orders']);
  expect(seen[0]?.request).toMatch(/^POST http:.*\/v1\/orders\n[^]*authorization: Bearer sesame-4711\n[^]*"1\.5"/);
  expect(seen[0]?.answer).toMatch(/^201\n[^]*\ncontent-type: application\/json[^]*\n\n\{"id":"SO-000001"/);
});

test('a write that is cut off by a fault is in doubt, applied or not; a read is never cut off', async () => {
  const { erp, sandbox } = await connected(['not-applied', 'answer-lost']);
  for (const applied of [0, 1]) {
    await expect(erp.createOrder(DRAFT)).rejects.toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    expect(sandbox.control.findOrders('R-1')).toHaveLength(applied);
  }
  expect(await erp.findOrders('R-1')).toHaveLength(1);
});
