import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { createFilesErp } from '../../../src/erp/files/connector.ts';
import { openFolder } from '../../../src/erp/files/folder.ts';
import { filesErp } from '../../../src/erp/files/kind.ts';
import { filesSection } from '../../../src/erp/files/schema.ts';
import { filesSettings } from '../../../src/erp/files/settings.ts';
import { checkedErp } from '../../support/erp-check.ts';
import { FILE_ERP, startFileErp } from './file-erp.ts';

const PRODUCTS = 30;

it('an ERP of files keeps every promise that can be tested there', { timeout: 120_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'file-erp-'));
  const exchange = join(root, 'exchange');
  const office = startFileErp(exchange, PRODUCTS);
  onTestFinished(() => {
    office.close();
    rmSync(root, { recursive: true, force: true });
  });
  const section = filesSection.parse({ type: 'files', stable_for: '10ms', dir: exchange, ...FILE_ERP });
  const settings = filesSettings(section);
  const referenceOf = (id: string): string => id.replace(/^order-/, '');
  const { named, findings } = await checkedErp(
    (wire) =>
      createFilesErp({ settings, exchange: openFolder(exchange), dir: join(root, 'data'), now: Date.now, wire }),
    // The stock comes in a file after the acknowledgement.
    capabilitiesOf(filesErp.settings(section).capabilities, { longestTransactionMs: 1_000 }),
    {
      people: {
        ship: async (id) => office.ship(referenceOf(id)),
        shipShort: async (id, sku, quantity) => office.shipShort(referenceOf(id), sku, quantity),
      },
      facts: { productCount: PRODUCTS },
    },
  );
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  // These files create no products, and hold no payments, customers, lots or verdicts. No record is old enough for the others.
  const beyond =
    /^orders-since$|^orders-stamp$|^product-create$|^payment|^customer|^transports$|^cancel-picked$|^approved$|^lots$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});
