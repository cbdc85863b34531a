import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage } from '../support/stage.ts';

/** The sandbox and the configuration have these operations at other paths, each with a moved parameter. */
const MOVED = {
  'inventory.command-status': { path: '/companies/{company_id}/command-status/' },
  'inventory.measurements-by-product-facility-batch': { path: '/companies/{company_id}/measurements/' },
};

test('stock by facility works where parameters moved between path and query; config check and doctor verify it', async () => {
  const stage = await openStage({
    account: `
    facilities:
      created_by: 17
      map: [{ erp_location: EAST, facility_id: 1, batch_id: 1 }]`,
    marketplace: `      operations: ${JSON.stringify({ ...MOVED, 'order-payments.get': { path: '/nowhere/' } })}`,
    sandbox: { settings: { operations: MOVED, commandDelayMs: 4_000 } },
  });
  stage.erp.control.addProducts([{ sku: 'SB-0001', name: 'Gummies', on_hand: '0' }]);
  stage.erp.control.setStock('SB-0001', '40', { location: 'EAST' });
  await stage.sync();
  const { id } = stage.marketplace.productBySku('SB-0001');
  expect(stage.marketplace.inventory(id)).toMatchObject([{ facility: 1, onHand: '40' }]);
  expect(stage.marketplace.requestLog.counts()['inventory.command-status']).toBeGreaterThan(0);
  await stage.stop();

  const verb = (...args: string[]) => run(['--config', stage.configFile, ...args]);
  expect((await verb('config', 'check')).stdout).toContain(
    'main: inventory.command-status is GET /companies/{company_id}/command-status/?id={id} in place of GET /inventory/commands/{id}/status/',
  );
  const { findings } = JSON.parse((await verb('doctor', '--json')).stdout) as {
    findings: { about: string; level: string; text: string }[];
  };
  const told = findings.filter(({ about }) => about.startsWith('operation ')).map(({ about, level }) => [about, level]);
  expect(told).toEqual([
    ['operation inventory.command-status', 'warn'],
    ['operation inventory.measurements-by-product-facility-batch', 'ok'],
    ['operation order-payments.get', 'warn'],
  ]);
});
