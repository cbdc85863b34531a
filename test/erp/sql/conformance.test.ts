import { afterAll, describe, expect, it } from 'vitest';
import { draftOf } from '../../../src/erp/conformance/probe.ts';
import { conformanceChecks } from '../../../src/erp/conformance.ts';
import { missing } from '../../support/databases.ts';
import { type Engine, openForeign, sectionOf, startForeign } from './foreign.ts';

const PRODUCTS = 1_234;

for (const engine of ['postgres', 'mariadb'] as const) await conformance(engine);

async function conformance(engine: Engine): Promise<void> {
  const why = missing[engine];
  if (why !== null) {
    it.skip(`the SQL connector keeps the promise: ${why}`, () => {});
    return;
  }
  const database = await startForeign(engine, PRODUCTS);
  // A product that does not fit: it holds no units.
  await database.admin('update artikel set ve = 0 where art_id = 3');
  const erp = await openForeign(sectionOf(engine, database.port));
  afterAll(async () => {
    await erp.close();
    await database.stop();
  });

  const ship = async (id: string): Promise<void> => {
    const articles = `select art_id from auftrag_pos where auf_id = ${id}`;
    await database.admin(`update lager set bestand = bestand - 1 where ort = 'HALLE 1' and art_id in (${articles})`);
    await database.admin(`update auftrag_pos set geliefert = menge where auf_id = ${id}`);
    await database.admin(`update auftrag set status = 3, geaendert = now() where auf_id = ${id}`);
  };
  const description = {
    skus: ['ART-0001', 'ART-0002', 'ART-1234'],
    currency: 'EUR',
    productCount: PRODUCTS,
    misfitIds: ['3'],
    ship,
  } as const;
  describe(`the SQL connector keeps the promise, against ${engine}:`, () => {
    for (const { promise, run } of conformanceChecks(erp, description)) {
      if (!/posting twice makes two/.test(promise)) it(promise, run);
    }

    it('an order that is posted twice is made once, and found the second time', async () => {
      const draft = draftOf(description, 'reserved', '1');
      const [first, ...others] = await Promise.all([draft, draft, draft].map((one) => erp.createOrder(one)));
      expect(others).toEqual([first, first]);
      expect(await erp.findOrders(draft.reference)).toEqual([first]);
    });
  });
}
