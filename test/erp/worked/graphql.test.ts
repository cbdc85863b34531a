import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { checkedErp, failureOf } from '../../support/erp-check.ts';
import { restErp } from '../rest/opened.ts';
import { startOffice } from './graphql-server.ts';

const DESCRIPTION = parse(readFileSync(new URL('office.yaml', import.meta.url), 'utf8')) as Record<string, unknown>;
const KEY = 'a token & more';
const CAN = capabilitiesOf({ totals: 'computed', payments: 'none', customers: 'none', longestTransactionMs: 5_000 });

it('an ERP with GraphQL alone keeps every promise that can be tested there', { timeout: 120_000 }, async () => {
  const office = await startOffice(120);
  onTestFinished(() => office.close());
  const { named, findings } = await checkedErp(
    async (wire) => restErp(office.url, DESCRIPTION, { key: KEY }, { wire }),
    CAN,
    { people: { ship: async (id) => office.ship(id) }, facts: { productCount: 240 } },
  );
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  const beyond =
    /^amounts$|-since$|^product-create$|^payment|^customer|^transports$|^shipped-short$|^cancel-picked$|^approved$|^lots$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});

it('a key in the address is masked in every message, and a wrong one is reported as such', async () => {
  const office = await startOffice(1);
  onTestFinished(() => office.close());
  await using erp = restErp(office.url, DESCRIPTION, { key: 'another token & more' });
  const failure = await failureOf(erp.ping());
  expect(failure).toMatchObject({ kind: 'credentials', outcome: 'not-applied' });
  expect(failure.message).not.toMatch(/another( |%20)token/);
});
