import { afterAll, beforeAll, expect } from 'vitest';
import { capabilitiesOf } from '../../../src/erp/capabilities.ts';
import { sqlErp } from '../../../src/erp/sql/kind.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { checkedErp } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

const WRONG = {
  // MariaDB finds the type of a value only when it writes it.
  postgres: [
    'insert into auftrag (auf_id) values (cast(:reference as text))',
    'is of type integer but expression is of type text',
  ],
  mariadb: ['insert into auftrag (auf_nr) values (:reference)', "Unknown column 'auf_nr'"],
} as const;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`the statements of the writes, on ${engine},`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await startForeign(engine, 20);
    });
    afterAll(() => database.stop());

    async function found(change: (section: Section) => void) {
      const section = sectionOf(engine, database.port, change);
      const can = capabilitiesOf(sqlErp.settings(sqlErp.schema.parse(section)).capabilities);
      const { findings } = await checkedErp((wire) => openForeign(section, { wire }), can, { most: 'reads' });
      return findings.find(({ name }) => name === 'writes-read');
    }
    const orders = async () => JSON.stringify(await database.admin('select count(*) from auftrag'));

    needing(engine).test(`the example statements are checked without a write (${engine})`, async () => {
      expect(await found(() => {})).toMatchObject({ result: 'kept' });
    });

    needing(engine).test(
      `each statement that the database cannot run is reported, and none is run (${engine})`,
      async () => {
        const before = await orders();
        const [sql, problem] = WRONG[engine];
        const finding = await found(({ writes }) => {
          writes['order-create']?.push({ sql });
          writes['order-update']?.push({ sql: 'delete from nirgends where a = :id' });
        });
        expect(finding).toMatchObject({ result: 'broken' });
        const { came } = finding as { came: string };
        expect(came).toContain(problem);
        expect(came).toMatch(/to erp\.writes\.order-create\[\d\]/);
        expect(came).toMatch(/nirgends.* to erp\.writes\.order-update\[\d\]/);
        expect(await orders()).toBe(before);
      },
    );
  });
}
