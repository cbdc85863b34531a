import { onTestFinished } from 'vitest';
import type { TestDatabase } from '../../support/databases.ts';
import { playErpStory, STORY_LIMIT_MS } from '../../support/erp-story.ts';
import { needing } from '../../support/needing.ts';
import { shownBy } from '../../support/shown-erp.ts';
import { openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

const PRODUCTS = 12;

/** People at their screens, in the database itself. Each does one thing at a time, and all of it or nothing. */
function people(database: TestDatabase) {
  const does =
    (...statements: readonly ((order: string) => string)[]) =>
    async (reference: string): Promise<void> => {
      const [row] = await database.admin(`select auf_id from auftrag where markt_nr = '${reference}'`);
      const texts = statements.map((statement) => statement(String(row?.['auf_id'])));
      await database.admin(`begin; ${texts.join('; ')}; commit`);
    };
  const touch = (id: string) => `update auftrag set geaendert = now() where auf_id = ${id}`;
  /** Ships this number of units of each line. */
  const leave = (units: string) => (id: string) =>
    `update lager set bestand = bestand -
    (select ${units} from auftrag_pos p where p.auf_id = ${id} and p.art_id = lager.art_id)
    where ort = 'HALLE 1' and art_id in (select art_id from auftrag_pos where auf_id = ${id})`;
  const shipRest = [
    leave('p.menge - p.geliefert - p.entfallen'),
    (id: string) => `update auftrag_pos set geliefert = menge - entfallen where auf_id = ${id}`,
    (id: string) => `update auftrag set status = 3 where auf_id = ${id}`,
    touch,
  ];
  return {
    ship: does(...shipRest),
    /** One unit of each line; the order is being picked. */
    shipPart: does(
      leave('1'),
      (id) => `update auftrag_pos set geliefert = geliefert + 1 where auf_id = ${id}`,
      (id) => `update auftrag set status = 2 where auf_id = ${id}`,
      touch,
    ),
    /** One unit of the first line is given up. */
    shipShort: does((id) => `update auftrag_pos set entfallen = 1 where auf_id = ${id} and pos = 1`, ...shipRest),
    cancel: does((id) => `update auftrag set status = 9 where auf_id = ${id}`, touch),
  };
}

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).test(
    `${engine}: forty orders with edits, cancellations, partial and short shipments, and eight kills of the daemon: nothing is lost or created twice`,
    () =>
      playErpStory(async () => {
        const database = await startForeign(engine, PRODUCTS);
        onTestFinished(() => database.stop());
        const section = sectionOf(engine, database.port, dollars);
        section['poll'] = '200ms';
        const erp = await openForeign(section);
        onTestFinished(() => erp.close());
        return {
          account: { erp: section },
          products: PRODUCTS,
          references: async () => (await shownBy(erp)).orders.map(({ reference }) => reference),
          people: people(database),
          shown: () => shownBy(erp),
        };
      }),
    STORY_LIMIT_MS,
  );
}

function dollars({ lists }: Section): void {
  for (const list of Object.values(lists)) list.query = list.query.replaceAll("'EUR'", "'USD'");
}
