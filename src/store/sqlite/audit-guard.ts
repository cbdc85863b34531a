import type { Database as Sqlite } from 'better-sqlite3';

const REFUSED_WHEN = {
  update: '',
  delete: '',
  // A row that is inserted in the place of another row deletes that row, and SQLite runs no trigger for the deletion.
  insert: 'when new.id <= (select coalesce(max(id), 0) from audit)',
} as const;

/** The database itself refuses to change or remove a record. */
export function protectAudit(sqlite: Sqlite): void {
  for (const [verb, when] of Object.entries(REFUSED_WHEN)) {
    sqlite.exec(
      `create trigger if not exists audit_refuses_${verb} before ${verb} on audit ${when} ` +
        "begin select raise(abort, 'the audit log is only ever added to'); end",
    );
  }
}
