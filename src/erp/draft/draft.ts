import type { Table } from './database.ts';
import type { SampleFile } from './folder.ts';
import type { RestSource } from './rest-source.ts';
import { isNameable } from './rules.ts';
import { type Named, type Readings, readingsOf } from './score.ts';
import { BOUNDS, type Collection, type Contents, DraftFault } from './shape.ts';
import { filesSection } from './write-files.ts';
import { restSection } from './write-rest.ts';
import { type SqlSource, sqlSection } from './write-sql.ts';
import { DECIDE, decide, TrustedText, yamlText } from './yaml.ts';

/** Drafts the first description of an ERP. Pure. */

export type Source =
  | ({ readonly type: 'rest' } & RestSource)
  | ({ readonly type: 'sql' } & SqlSource & Contents<Table>)
  | ({ readonly type: 'files'; readonly dir: string } & Contents<SampleFile>);

export interface Draft {
  readonly text: string;
  /** The lines that a person must decide. */
  readonly toDecide: number;
  /** The variables that hold its secrets: `ERP_PASSWORD`. */
  readonly variables: readonly string[];
}

const USUAL_CURRENCY = 'USD';

/** @throws DraftFault if nothing looks like products, stock or orders */
export function draftOf(source: Source, named: Named): Draft {
  const { section, what, currency } = drawn(source, named);
  const account = {
    currency: decide(currency, 'the currency of all prices'),
    marketplace: {
      base_url: decide('https://marketplace.example', 'the address of the marketplace'),
      auth: { scheme: 'app', key: new TrustedText('${env:MARKETPLACE_KEY}') },
      seller_id: decide(1, "the brand's company id there"),
    },
    erp: section,
    orders: { on_unmapped_customer: 'pass' },
    inventory: { strategy: decide('submitted-available', '"stockbridge guide strategies" compares them') },
  };
  const head = [
    `A first description, made by "stockbridge erp draft" of ${what}.`,
    `Each comment says why. A person has to settle each line with "${DECIDE}".`,
    ...[...source.cut, ...wideIn(source.collections)].map((one) => `${DECIDE} ${one}`),
  ];
  const text = yamlText(head, { version: 1, accounts: { main: account } });
  const variables = [...new Set([...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name))];
  return { text, toDecide: text.split(`# ${DECIDE}`).length - 1, variables };
}

function drawn(source: Source, named: Named): { section: object; what: string; currency: string } {
  switch (source.type) {
    case 'rest': {
      const readings = readable(source.collections.map(onlyNameable), source.what, named);
      const currency = currencyOf(readings);
      return { section: restSection(source, readings, currency), what: source.what, currency };
    }
    case 'sql': {
      const { address, url, collections } = source;
      const what = `the ${address.dialect === 'mysql' ? 'MariaDB or MySQL' : 'PostgreSQL'} database ${address.database}`;
      const readings = readable(collections, what, named);
      const currency = currencyOf(readings);
      return { section: sqlSection({ ...source, url }, readings, currency), what, currency };
    }
    case 'files': {
      const what = `${source.collections.length} kinds of files`;
      const readings = readable(source.collections.map(onlyNameable), what, named);
      const currency = currencyOf(readings);
      return { section: filesSection(source.dir, readings, currency), what, currency };
    }
  }
}

function wideIn(collections: readonly Collection[]): string[] {
  const wide = collections.filter(({ fields }) => fields.length >= BOUNDS.fields).map(({ shown }) => shown);
  return wide.length === 0
    ? []
    : [`whether a field is missing: ${BOUNDS.fields} were read of ${wide.slice(0, 5).join(', ')}`];
}

function onlyNameable<Place>(one: Collection<Place>): Collection<Place> {
  return { ...one, fields: one.fields.filter(isNameable) };
}

function readable<Place>(collections: readonly Collection<Place>[], what: string, named: Named): Readings<Place> {
  const readings = readingsOf(collections, named);
  const { products, stock, orders } = readings;
  if (products !== null || stock !== null || orders !== null) return readings;
  const seen = collections.slice(0, 10).map(({ shown }) => shown);
  throw new DraftFault(
    `nothing in ${what} looks like products, stock or orders${seen.length === 0 ? '' : `; it has ${seen.join(', ')}`}`,
  );
}

function currencyOf({ products, orders }: Readings<unknown>): string {
  const found = products?.fields['price.currency'] ?? orders?.fields['currency'];
  return found?.field.samples.find((one) => /^[A-Z]{3}$/.test(one)) ?? USUAL_CURRENCY;
}
