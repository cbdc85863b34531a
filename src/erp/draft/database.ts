import type { Address } from '../sql/address.ts';
import { isOwnMachine } from '../sql/address.ts';
import type { Database, Rows } from '../sql/database.ts';
import { failureOf } from '../sql/failures.ts';
import type { Dialect } from '../sql/tokens.ts';
import { likeliest, rankOf } from './score.ts';
import {
  BOUNDS,
  type Collection,
  type Contents,
  DraftFault,
  type Field,
  type FieldType,
  field,
  words,
} from './shape.ts';
import { quoted, sqlText } from './sql-text.ts';
import { boundedSamples, typeOf } from './values.ts';

/** Reads a database's schema and a few rows of its tables, in read-only transactions. */

export interface Table {
  /** Quoted as a statement needs it: `artikel`, `"Order"`. */
  readonly sql: string;
  /** Columns that need a value in an insert. */
  readonly required: readonly string[];
}

const TIMEOUT_MS = 10_000;
const SAMPLED_MAX = 40;
/** The worst rank whose rows are sampled: a name that contains that of a list. */
const SAMPLED_RANK = 3;
const TABLES_MAX = 20_000;

const TABLES: Record<Dialect, string> = {
  postgres: `select table_schema, table_name, table_schema = current_schema() from information_schema.tables
    where table_schema <> 'information_schema' and table_schema not like 'pg\\_%'
    order by 3 desc, table_schema, table_name limit ${TABLES_MAX}`,
  mysql: `select table_schema, table_name, 1 from information_schema.tables
    where table_schema = database() order by table_name limit ${TABLES_MAX}`,
};

/** Of many tables, those to read are chosen by their column names. */
const NAMES_MAX = 100_000;
const NAMES: Record<Dialect, string> = {
  postgres: `select table_schema, table_name, column_name from information_schema.columns
    where table_schema <> 'information_schema' and table_schema not like 'pg\\_%'
    order by table_schema = current_schema() desc, table_schema, table_name limit ${NAMES_MAX}`,
  mysql: `select table_schema, table_name, column_name from information_schema.columns
    where table_schema = database() order by table_name limit ${NAMES_MAX}`,
};

const COLUMNS: Record<Dialect, (these: string) => string> = {
  postgres: (these) => `select table_schema, table_name, column_name, data_type, is_nullable,
    column_default is null and is_identity = 'NO' from information_schema.columns
    where (table_schema, table_name) in (${these}) and ordinal_position <= ${BOUNDS.fields} order by ordinal_position`,
  mysql: (these) => `select table_schema, table_name, column_name, column_type, is_nullable,
    column_default is null and extra not like '%auto_increment%' from information_schema.columns
    where (table_schema, table_name) in (${these}) and ordinal_position <= ${BOUNDS.fields} order by ordinal_position`,
};

/** Columns that are unique alone, and whether each is the primary key. */
const UNIQUE: Record<Dialect, (these: string) => string> = {
  postgres: (these) => `select n.nspname, t.relname, a.attname, i.indisprimary from pg_index i
    join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where i.indisunique and i.indnkeyatts = 1 and i.indpred is null and (n.nspname, t.relname) in (${these})`,
  mysql: (these) => `select table_schema, table_name, max(column_name), index_name = 'PRIMARY'
    from information_schema.statistics where non_unique = 0 and (table_schema, table_name) in (${these})
    group by table_schema, table_name, index_name having count(*) = 1`,
};

const REFERENCES: Record<Dialect, (these: string) => string> = {
  postgres: (these) => `select n.nspname, t.relname, a.attname, f.relname, b.attname from pg_constraint k
    join pg_class t on t.oid = k.conrelid join pg_namespace n on n.oid = t.relnamespace
    join pg_class f on f.oid = k.confrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
    where k.contype = 'f' and cardinality(k.conkey) = 1 and (n.nspname, t.relname) in (${these})`,
  mysql: (these) => `select table_schema, table_name, column_name, referenced_table_name, referenced_column_name
    from information_schema.key_column_usage
    where referenced_table_name is not null and (table_schema, table_name) in (${these})`,
};

export interface Login {
  readonly address: Address;
  readonly user: string;
  readonly password: string;
}

/** @throws CallFailure, DraftFault */
export async function readDatabase(
  { address, user, password }: Login,
  asTold: readonly string[],
  signal: AbortSignal,
): Promise<Contents<Table>> {
  const { dialect } = address;
  const place = `${address.host}:${address.port}/${address.database}`;
  const server = {
    ...address,
    user,
    place,
    password: async () => password,
    tls: isOwnMachine(address) ? null : { ca: null },
    connections: 2,
    timeoutMs: TIMEOUT_MS,
    zone: 'UTC',
  };
  const database =
    dialect === 'postgres'
      ? (await import('../sql/postgres.ts')).openPostgres(server)
      : (await import('../sql/mysql.ts')).openMysql(server);
  const asked = {
    erp: `the database at ${place}`,
    purpose: 'read its schema',
    write: false,
    timeoutMs: TIMEOUT_MS,
    secrets: [password],
  };
  try {
    return await contentsOf(database, { place, asTold }, signal);
  } catch (error) {
    if (error instanceof DraftFault) throw error;
    throw failureOf({ ...asked, dialect, key: null, committing: false, refusedForNow: [] }, error);
  } finally {
    await database.close();
  }
}

async function contentsOf(
  database: Database,
  { place, asTold }: { readonly place: string; readonly asTold: readonly string[] },
  signal: AbortSignal,
): Promise<Contents<Table>> {
  const { dialect } = database;
  const [all] = await inOneRead(database, [TABLES[dialect]], signal);
  const named = all?.rows ?? [];
  if (named.length === 0) throw new DraftFault(`${place} shows no table to this user`);
  const columnsOf =
    named.length <= BOUNDS.collections
      ? new Map<string, readonly Row[]>()
      : Map.groupBy((await inOneRead(database, [NAMES[dialect]], signal))[0]?.rows ?? [], tableOf);
  const rankOfTable = (name: string, fields: readonly string[]) => (asTold.includes(name) ? 0 : rankOf(name, fields));
  const { taken, cut } = likeliest(
    named,
    (row) =>
      rankOfTable(
        row[1] ?? '',
        (columnsOf.get(tableOf(row)) ?? []).map(([, , column]) => column ?? ''),
      ),
    'tables',
    'their names and columns',
  );
  const { literal } = sqlText(dialect);
  const these = taken.map(([schema, name]) => `(${literal(schema ?? '')}, ${literal(name ?? '')})`).join(', ');
  const asks = taken.length === 0 ? [] : [COLUMNS, UNIQUE, REFERENCES].map((ask) => ask[dialect](these));
  const [columns, unique, references] = await inOneRead(database, asks, signal);
  const tables = linked(tablesOf(dialect, taken, columns?.rows ?? [], unique?.rows ?? [], references?.rows ?? []));
  const fitting = tables
    .map((table) => ({
      table,
      rank: rankOfTable(
        table.name,
        table.fields.map(({ path: [column = ''] }) => column),
      ),
    }))
    .filter(({ rank }) => rank <= SAMPLED_RANK)
    .sort((one, other) => one.rank - other.rank)
    .map(({ table }) => table);
  const seen = new Map<Collection<Table>, Collection<Table>>();
  for (const table of fitting.slice(0, SAMPLED_MAX)) {
    const [rows] = await inOneRead(database, [sampleOf(table, dialect)], signal).catch(() => []);
    seen.set(table, withRows(table, rows?.rows ?? []));
  }
  return {
    collections: tables.map((table) => seen.get(table) ?? table),
    cut: [
      ...cut,
      ...(fitting.length <= SAMPLED_MAX
        ? []
        : [`what no value shows: rows were read of ${SAMPLED_MAX} of ${fitting.length} tables`]),
      ...(named.length < TABLES_MAX ? [] : [`whether a list is missing: ${TABLES_MAX} tables are looked at`]),
    ],
  };
}

/** A refused statement ends its transaction, so each table has its own. */
async function inOneRead(database: Database, statements: readonly string[], signal: AbortSignal): Promise<Rows[]> {
  const transaction = await database.begin('read', signal);
  try {
    const answers: Rows[] = [];
    for (const text of statements) answers.push(await transaction.run({ text, values: [] }));
    return answers;
  } finally {
    await transaction.end();
  }
}

type Row = Rows['rows'][number];

const tableOf = (row: Row): string => JSON.stringify(row.slice(0, 2));

function tablesOf(
  dialect: Dialect,
  named: readonly Row[],
  columns: readonly Row[],
  unique: readonly Row[],
  references: readonly Row[],
): Collection<Table>[] {
  const keyOf = (row: Row) => JSON.stringify(row.slice(0, 3));
  const uniques = new Map(unique.map((row) => [keyOf(row), isTrue(row[3])]));
  const refers = new Map(references.map((row) => [keyOf(row), { collection: row[3] ?? '', field: row[4] ?? '' }]));
  const tables = Map.groupBy(columns, tableOf);
  return named.map(([schema, name, isOwn]) => {
    const rows = tables.get(JSON.stringify([schema, name])) ?? [];
    const fields = rows.map((row) =>
      field([row[2] ?? ''], {
        type: typeNamed(row[3] ?? ''),
        nullable: row[4] === 'YES',
        isKey: uniques.get(keyOf(row)) === true,
        unique: uniques.has(keyOf(row)) ? true : null,
        refersTo: refers.get(keyOf(row)) ?? null,
      }),
    );
    const required = rows.filter((row) => row[4] === 'NO' && isTrue(row[5])).map((row) => row[2] ?? '');
    const sql = `${isTrue(isOwn) ? '' : `${quoted(schema ?? '', dialect)}.`}${quoted(name ?? '', dialect)}`;
    return { name: name ?? '', shown: `table ${name ?? ''}`, fields, rows: 0, place: { sql, required } };
  });
}

const isTrue = (value: string | null | undefined): boolean => value === 't' || value === 'true' || value === '1';

const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/^(bool|tinyint\(1\)|bit\(1\))/, 'flag'],
  [/^(small|big|medium|tiny)?(int|serial)/, 'whole'],
  [/^(numeric|decimal|money)/, 'decimal'],
  [/^(float|double|real)/, 'float'],
  [/^(timestamp|datetime|date)/, 'time'],
];

function typeNamed(type: string): FieldType {
  return TYPES.find(([regex]) => regex.test(type.toLowerCase()))?.[1] ?? 'text';
}

/** Guesses a reference without a foreign key from a column named like another table's key. */
function linked(tables: readonly Collection<Table>[]): Collection<Table>[] {
  const keys = tables.flatMap((table) =>
    table.fields
      .filter(({ isKey }) => isKey)
      .map(({ path: [name = ''] }) => ({
        table,
        name,
        own: name === 'id' ? [words(table.name), words(table.name).replace(/(?<=\w{3})(s|en|n)$/, '')] : null,
      })),
  );
  const referred = (table: Collection<Table>, { path: [name = ''], isKey, refersTo }: Field) => {
    if (refersTo !== null || isKey) return refersTo;
    const said = words(name);
    const found = keys.find(
      (key) =>
        key.table !== table && (key.own === null ? key.name === name : key.own.some((own) => `${own} id` === said)),
    );
    return found === undefined ? null : { collection: found.table.name, field: found.name };
  };
  return tables.map((table) => ({
    ...table,
    fields: table.fields.map((one) => ({ ...one, refersTo: referred(table, one) })),
  }));
}

function sampleOf({ place, fields }: Collection<Table>, dialect: Dialect): string {
  const columns = fields.map(({ path: [name = ''] }) => {
    const column = quoted(name, dialect);
    return dialect === 'postgres' ? `left(${column}::text, 200)` : `left(cast(${column} as char), 200)`;
  });
  return `select ${columns.join(', ')} from ${place.sql} limit ${BOUNDS.rows}`;
}

function withRows(table: Collection<Table>, rows: readonly Row[]): Collection<Table> {
  const fields = table.fields.map((one, index): Field => {
    const values = rows.map((row) => row[index]).filter((value) => value !== null && value !== undefined);
    const distinct = new Set(values).size;
    const samples = boundedSamples(values);
    return {
      ...one,
      samples,
      type: one.type === 'text' && typeOf(samples) === 'time' ? 'time' : one.type,
      unique: one.unique ?? (rows.length < 2 ? null : distinct === rows.length),
    };
  });
  return { ...table, fields, rows: rows.length };
}
