import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { restErp as restKind } from '../../../src/erp/rest/kind.ts';
import { checkedErp } from '../../support/erp-check.ts';
import { restErp } from '../rest/opened.ts';
import { startHafen } from './hafen.ts';

const PRODUCTS = 130;

it('an ERP with amounts in cents, versions to name and locations for answers keeps every promise', {
  timeout: 120_000,
}, async () => {
  const hafen = await startHafen(PRODUCTS);
  onTestFinished(() => hafen.close());
  const written = readFileSync(fileURLToPath(new URL('hafen.yaml', import.meta.url)), 'utf8');
  const section = restKind.schema.parse({ type: 'rest', url: hafen.url, ...(parse(written) as object) });
  const { findings, named } = await checkedErp(
    (wire) => restErp(hafen.url, written, { key: 'a-token-of-hafen' }, { wire }),
    capabilitiesOf(restKind.settings(section).capabilities),
    { people: { ship: async (id) => hafen.ship(id) }, facts: { productCount: PRODUCTS } },
  );
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  expect(named('kept')).toEqual(
    expect.arrayContaining(['create', 'edit-lines', 'cut-edit', 'product-create', 'shipped']),
  );
});
