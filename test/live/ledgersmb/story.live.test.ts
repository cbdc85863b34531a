import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { checkedErp, EVERYTHING } from '../../support/erp-check.ts';
import { playErpStory, STORY_LIMIT_MS } from '../../support/erp-story.ts';
import { needing } from '../../support/needing.ts';
import { shownBy } from '../../support/shown-erp.ts';
import { connectionBy } from '../connection.ts';
import { BRIDGE, type LedgerSmb, startLedgerSmb } from './system.ts';

const PRODUCTS = 12;

needing('postgres', 'debian').describe('LedgerSMB as Debian ships it:', () => {
  let company: LedgerSmb;
  const sectionOf = (more: object = {}) => ({
    type: 'sql',
    extends: 'ledgersmb',
    url: company.url,
    ...BRIDGE,
    ...more,
  });

  async function deeds(reference: string, ...all: readonly (readonly [string, ...string[]])[]): Promise<void> {
    for (const [deed, ...words] of all) await company.does(deed, reference, ...words);
  }

  beforeAll(async () => {
    company = await startLedgerSmb(PRODUCTS);
  });
  afterAll(() => company.stop());

  it(
    'forty orders in LedgerSMB with edits, cancellations, partial and short shipments, and eight kills of the daemon: nothing is lost or created twice',
    () =>
      playErpStory(async () => {
        const erp = await connectionBy(sectionOf(), BRIDGE.password).open();
        onTestFinished(() => erp.close());
        const references = async () =>
          (await shownBy(erp)).orders
            .filter(({ origin }) => origin === 'marketplace')
            .map(({ reference }) => reference);
        return {
          account: { erp: sectionOf({ poll: '200ms' }) },
          products: PRODUCTS,
          references,
          people: {
            ship: (reference) => deeds(reference, ['ship', 'rest'], ['invoice']),
            // The invoice makes a back order of the rest, with the same number.
            shipPart: (reference) => deeds(reference, ['ship', '1'], ['invoice']),
            shipShort: (reference) => deeds(reference, ['ship', '2'], ['invoice'], ['close']),
            cancel: (reference) => deeds(reference, ['close']),
          },
          shown: () => shownBy(erp),
        };
      }),
    STORY_LIMIT_MS,
  );

  it('the LedgerSMB description keeps every promise that can be tested', async () => {
    const { can, open } = connectionBy(sectionOf(), BRIDGE.password);
    const numberOf = async (id: string) =>
      String((await company.sql(`select ponumber from oe where id = ${id}`))[0]?.['ponumber']);
    const ship = async (id: string) => company.does('ship', await numberOf(id), 'rest');
    const uses = { ...EVERYTHING, drafts: false };
    const { findings, named } = await checkedErp(open, can, {
      uses,
      people: { ship },
      facts: { productCount: PRODUCTS },
    });
    expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
    // The lists are read whole, and LedgerSMB has no transports, approvals or lots. Payments and products are made by people there.
    const beyond =
      /-since$|-stamp$|^payments?-|^product-create$|^transports$|^approved$|^lots$|^draft$|^shipped-short$|^cancel-picked$/;
    expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
  });
});
