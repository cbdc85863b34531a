/**
 * The query for the objects of the schema, in the form of `tablesText`. It also finds objects that could change, hide or refuse a
 * row: a rule, a policy, a condition, or a foreign function under the name of one of our functions.
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
