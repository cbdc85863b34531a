import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import type { ErpParts } from '../../../src/erp/kind.ts';
import { sqlErp } from '../../../src/erp/sql/kind.ts';
import { DATABASE, type OwnTls, startMariadb, startPostgres, type TestDatabase } from '../../support/databases.ts';

/** A schema that nobody made for us, in both databases: its names are German, and the example of the manual connects it. */

export type Engine = 'postgres' | 'mariadb';
export const PASSWORD = 'a password of its own';

export function example(name: string): string {
  return readFileSync(fileURLToPath(new URL(`example/${name}`, import.meta.url)), 'utf8');
}

/** The section `erp` of the example, with some of its keys changed. */
export function sectionOf(engine: Engine, port: number, change: (section: Section) => void = () => {}): Section {
  const { erp } = parse(example(`${engine}.yaml`).replace('${env:ERP_PASSWORD}', PASSWORD)) as { erp: Section };
  erp.url = `${engine === 'postgres' ? 'postgres' : 'mariadb'}://127.0.0.1:${port}/${DATABASE}`;
  change(erp);
  return erp;
}

type Loose = Record<string, unknown>;
export interface Section extends Loose {
  url: string;
  lists: Record<string, { query: string; changed?: string; lines?: string; row?: Loose }>;
  finds: Record<string, string>;
  writes: Record<string, Loose[]>;
}

export async function openForeign(section: Section, parts: Partial<ErpParts> = {}): Promise<ErpConnector> {
  const credential = () => ({ secret: async () => String(section['password']), refused: () => {} });
  return sqlErp.open(sqlErp.schema.parse(section), {
    credential,
    dir: '/nowhere',
    now: Date.now,
    ...parts,
  });
}

/** The database with this number of products, each with 1,000 in stock. */
export async function startForeign(engine: Engine, products: number, tls?: OwnTls): Promise<TestDatabase> {
  const database = await (engine === 'postgres' ? startPostgres(tls) : startMariadb(tls));
  await database.admin(example(`${engine}.sql`));
  await database.admin(example(`${engine}-grants.sql`));
  const rows = Array.from({ length: products }, (_, index) => {
    const id = index + 1;
    return `(${id}, 'ART-${String(id).padStart(4, '0')}', 'Artikel Nr. ${id} äöü ✓', 'Größe ${id}', ${id * 7 + 99})`;
  });
  await database.admin(`insert into artikel (art_id, artnr, bez, beschr, vk_cent) values ${rows.join(', ')}`);
  await database.admin(`insert into lager select art_id, 'HALLE 1', 600 from artikel`);
  await database.admin(`insert into lager select art_id, 'HALLE 2', 400 from artikel`);
  return database;
}
