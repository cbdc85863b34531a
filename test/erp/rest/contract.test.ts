import { afterAll, describe, it } from 'vitest';
import { conformanceChecks } from '../../../src/erp/conformance.ts';
import type { ErpApproval } from '../../../src/erp/connector.ts';
import { startSandboxErp } from '../../../src/sandbox/erp/server.ts';
import { contractErp } from './opened.ts';

const MISFIT_ID = 'P-000003';
const sandbox = await startSandboxErp({ tokens: ['sesame-4711'] });
sandbox.control.seed(1_234);
sandbox.control.inject({ kind: 'misfit', key: MISFIT_ID, set: { price: null }, times: null });
const erp = contractErp({ url: sandbox.url, token: 'sesame-4711', timeoutMs: 10_000 });

afterAll(async () => {
  await erp.close();
  await sandbox.close();
});

const description = {
  skus: ['SB-0001', 'SB-0002', 'SB-1234'],
  currency: 'USD',
  productCount: 1_234,
  misfitIds: [MISFIT_ID],
  payments: true,
  transports: true,
  addLot: async (sku: string, batch: string) => sandbox.control.addLot({ sku, batch }).id,
  approve: async (id: string, { status, message, decidedAt }: ErpApproval) =>
    void sandbox.control.approveOrder(id, { status, message, decided_at: decidedAt }),
  ship: async (id: string) => void sandbox.control.shipOrder(id),
} as const;

describe('the contract, described as a preset, keeps the promise:', () => {
  for (const { promise, run } of conformanceChecks(erp, description)) it(promise, run);
});
