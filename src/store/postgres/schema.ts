/*
 * PostgreSQL's tables are derived from SQLite's schema, which drizzle stores with each migration (`migrations/meta`).
 */

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly primaryKey: boolean;
  readonly notNull: boolean;
  readonly autoincrement: boolean;
  readonly default?: string | number | boolean;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly indexes: Readonly<Record<string, Index>>;
  readonly compositePrimaryKeys: Readonly<Record<string, { readonly columns: readonly string[] }>>;
}

export interface Snapshot {
  readonly tables: Readonly<Record<string, Table>>;
}

/** Texts compare byte by byte, as on SQLite. Otherwise keys would sort differently on each engine. */
export const TYPES: Readonly<Record<string, string>> = { integer: 'bigint', text: 'text collate "C"', blob: 'bytea' };

export const quoted = (name: string) => `"${name}"`;
export const listed = (names: readonly string[]) => names.map(quoted).join(', ');

/**
 * Objects that only PostgreSQL has. SQLite itself remembers assigned ids, and its triggers are created at each start.
 */
const OWN = [
  'column numbers_given.name text not null',
  'column numbers_given.seq bigint not null',
  'key of numbers_given: name',
  'trigger audit_gives_numbers on audit: CREATE TRIGGER audit_gives_numbers BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_number_given()',
  'trigger audit_refuses_change on audit: CREATE TRIGGER audit_refuses_change BEFORE DELETE OR UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuses()',
  'trigger audit_refuses_truncate on audit: CREATE TRIGGER audit_refuses_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()',
];

/** Null in an insert means that the id is generated, as on SQLite. Each statement is as PostgreSQL tells it. */
export function idTriggers({ name, columns }: Table): string[] {
  if (!Object.values(columns).some(({ autoincrement }) => autoincrement)) return [];
  return [`CREATE TRIGGER gives_id BEFORE INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION gives_id()`];
}

/** Each column, index and key of a schema as text, to compare a database with it. */
export function tablesText({ tables }: Snapshot): string[] {
  return [...OWN, ...Object.values(tables).flatMap(textsOf)];
}

function defaultText(value: Column['default']): string {
  if (value === undefined) return '';
  return ` default ${typeof value === 'string' ? `${value}::text` : Number(value)}`;
}

export function keyOf({ columns, compositePrimaryKeys }: Table): readonly string[] {
  const single = Object.values(columns).filter(({ primaryKey }) => primaryKey);
  return Object.values(compositePrimaryKeys)[0]?.columns ?? single.map(({ name }) => name);
}

function textsOf(described: Table): string[] {
  const { name: table, columns, indexes } = described;
  return [
    ...Object.values(columns).map(
      ({ name, type, notNull, primaryKey, default: value }) =>
        `column ${table}.${name} ${TYPES[type]?.split(' ')[0]}${notNull || primaryKey ? ' not null' : ''}${defaultText(value)}`,
    ),
    ...Object.values(indexes).map(
      ({ name, isUnique, columns: of }) =>
        `${isUnique ? 'unique ' : ''}index ${name} on ${table} (${of.map((column) => (/^[a-z_]+$/.test(column) ? column : 'made')).join(', ')})`,
    ),
    `key of ${table}: ${keyOf(described).join(', ')}`,
  ];
}

/**
 * Queries the schema's objects in the form of `tablesText`, and what could change, hide or refuse a row: a rule, a
 * policy, a condition, or a foreign function under the name of ours.
 */
export const FOUND = `
  select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || case when coalesce(l.collname, 'C') = 'C' then '' else ' in the order of ' || l.collname end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.relname <> 'stockbridge_migrations'
  union all
  select case when i.indisunique then 'unique ' else '' end || 'index ' || c.relname || ' on ' || t.relname
    || case when i.indpred is null then '' else ' where something holds' end || ' (' || (
      select string_agg(coalesce(a.attname, 'made'), ', ' order by k.place)
      from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
      left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0) || ')'
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relnamespace = current_schema()::regnamespace and not i.indisprimary and i.indisvalid
  union all
  select 'key of ' || t.relname || ': ' || string_agg(a.attname, ', ' order by array_position(i.indkey::int2[], a.attnum))
  from pg_index i join pg_class t on t.oid = i.indrelid
  join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey::int2[])
  where t.relnamespace = current_schema()::regnamespace and i.indisprimary and t.relname <> 'stockbridge_migrations'
  group by t.relname
  union all
  select 'trigger ' || g.tgname || ' on ' || t.relname || ': ' || pg_get_triggerdef(g.oid, true)
  from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal and g.tgenabled in ('O', 'A')
  union all
  select 'rule ' || r.rulename || ' on ' || t.relname
  from pg_rewrite r join pg_class t on t.oid = r.ev_class
  where t.relnamespace = current_schema()::regnamespace and r.rulename <> '_RETURN'
  union all
  select 'policy of the rows of ' || t.relname
  from pg_class t where t.relnamespace = current_schema()::regnamespace and t.relrowsecurity
  union all
  select 'rows of another table in ' || t.relname
  from pg_inherits h join pg_class t on t.oid = h.inhparent
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
  union all
  select 'condition ' || o.conname || ' of ' || t.relname
  from pg_constraint o join pg_class t on t.oid = o.conrelid
  where t.relnamespace = current_schema()::regnamespace and o.contype in ('c', 'f', 'x', 't')
  union all
  select 'function ' || p.proname || ' ' || md5(p.prosrc)
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')`;
