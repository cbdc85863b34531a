import { CallFailure, type FailureKind, type Lock, type WaitsFor } from '../../domain/failure.ts';
import { MAX_BODY_BYTES } from '../../http/exchange.ts';
import { INVALID_ANSWER } from '../../http/failure.ts';
import { type Called, descriptorFailure, failure, lateText, quoted, stoppedText, subjectOf } from '../failure.ts';
import { Stopped } from './database.ts';
import type { Dialect } from './tokens.ts';

export interface SqlCall extends Called {
  readonly dialect: Dialect;
  /** The statement's key below `erp`: `lists.orders.query`; null: connecting. */
  readonly key: string | null;
  /** During a commit, only a refusal by the database proves that nothing was applied. */
  readonly committing: boolean;
  /** The names of the statement's values, which the database only numbers. */
  readonly names?: readonly string[] | undefined;
  /** Errors that refuse a write because of the ERP's present state. */
  readonly refusedForNow: readonly ForNow[];
}

/** A temporary refusal: its code and, optionally, a part of its text. */
export interface ForNow {
  readonly code: string;
  readonly contains?: string | undefined;
  readonly waits_for: WaitsFor['what'];
}

const AGAIN = 'It is tried again.';

/** The meaning of an answer: a pattern of codes, the failure kind, the advice, and a part of the text. */
type Meaning = readonly [codes: RegExp, kind: FailureKind, mend: string, text?: RegExp];

const LOST =
  /^(08|57P0[123]|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|PROTOCOL_CONNECTION_LOST|CONNECTION_ENDED)/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|SSL|ERR_TLS|HANDSHAKE_/;

const LOGIN = 'Check erp.user and erp.password, and that the server lets this user in from here.';
const NO_DATABASE = 'Check the name of the database in erp.url.';
const NO_RIGHT = 'Grant the user of erp.user that right, or leave what needs it out of the statement.';
const OTHER_SCHEMA = 'The schema is not as the statement has it, or no longer: correct the statement.';
const CORRECT = 'Correct the statement.';
const CORRECT_BOTH = 'Correct the statement, or the record that it refers to.';
const LOCKED =
  'Another transaction holds a lock on these rows: end it, such as an open form or a report. It is tried again.';
/** When a write that met a lock is tried again. */
const LOCKED_MS = 3_000;
/** Sessions that may hold the lock, oldest first. Plain queries and vacuum lock no row. */
const LOCKS: Readonly<Record<Dialect, Lock>> = {
  postgres: {
    shownBy:
      "select pid, usename, client_addr, xact_start, state, query from pg_stat_activity where pid in (select pid from pg_locks where granted and locktype in ('relation', 'advisory') and mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock') and database = (select oid from pg_database where datname = current_database())) and pid <> pg_backend_pid() order by xact_start",
    endedBy: 'select pg_terminate_backend(PID)',
  },
  mysql: {
    shownBy:
      'select p.id, p.user, p.host, t.trx_started, t.trx_rows_locked, t.trx_query from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id where t.trx_rows_locked > 0 and p.id <> connection_id() order by t.trx_started',
    endedBy: 'kill ID',
  },
};
const CHARACTERS =
  'A character is not in the character set of its column or database: let the column have all of Unicode (utf8mb4, or a database in UTF8), or replace such characters in the statement.';
const BY_RULE = 'A rule of the database refuses it.';

const OF_POSTGRES: readonly Meaning[] = [
  [/^28/, 'credentials', LOGIN],
  [/^3D000/, 'not-found', NO_DATABASE],
  [/^42501/, 'forbidden', NO_RIGHT],
  [/^25006/, 'refused', 'A list query must only read. For writes, connect to the primary server and not to a standby.'],
  [/^42(P01|703|883|P02)/, 'refused', OTHER_SCHEMA],
  [/^42P18/, 'refused', 'Cast that value in the statement, such as cast(:customer.id as integer).'],
  [/^42/, 'refused', CORRECT],
  [/^22(P05|021)/, 'refused', CHARACTERS],
  [
    /^22/,
    'refused',
    'A value does not fit its column: cast it in the statement, such as cast(:line.unit_price as numeric).',
  ],
  [/^23/, 'refused', CORRECT_BOTH],
  [/^P0001/, 'refused', BY_RULE],
  [/^55P03/, 'unavailable', LOCKED],
  [/^(40|53|57|58)/, 'unavailable', AGAIN],
];

const OF_MYSQL: readonly Meaning[] = [
  [/^(1045|1698|1251|1862|1820|3118)$/, 'credentials', LOGIN],
  [/^1049$/, 'not-found', NO_DATABASE],
  [/^(1044|1142|1143|1227|1370)$/, 'forbidden', NO_RIGHT],
  [
    /^(1792|1290|1836)$/,
    'refused',
    'A list query must only read. For writes, connect to the primary server and not to a replica.',
  ],
  [/^(1054|1146|1305|1051)$/, 'refused', OTHER_SCHEMA],
  [/^1205$/, 'unavailable', LOCKED],
  [/^(1267|1270|1271|1300|3854|3988)$/, 'refused', CHARACTERS],
  [/^1366$/, 'refused', CHARACTERS, /string value/i],
  [
    /^(1040|1053|1129|1130|1152|1153|1158|1159|1160|1161|1184|1203|1213|1226|1317|1927|1969|3024|2006|2013|4031)$/,
    'unavailable',
    AGAIN,
  ],
  [
    /^(1264|1265|1292|1366|1406)$/,
    'refused',
    'A value does not fit its column: cast it in the statement, such as cast(:line.unit_price as decimal(18, 4)).',
  ],
  [/^1644$/, 'refused', BY_RULE],
  [/^(1062|1048|1364|1451|1452|3819|4025)$/, 'refused', CORRECT_BOTH],
];

/** The failure for a driver's error or a `Stopped`. */
export function failureOf(asked: SqlCall, error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof Stopped) return stopped(asked, error);
  const { code, text } = said(error, asked);
  const answered = isAnswer(error);
  if (answered) {
    const meanings = asked.dialect === 'postgres' ? OF_POSTGRES : OF_MYSQL;
    const fits = ([codes, , , part]: Meaning) => codes.test(code) && (part === undefined || part.test(text));
    const [, kind, mend] = meanings.find(fits) ?? [null, 'refused' as const, CORRECT];
    const statement = asked.key === null ? '' : ` to erp.${asked.key}`;
    const told = `${subjectOf(asked)} answered "${text}" (${code})${statement} when asked to ${asked.purpose}.`;
    const forNow = forNowOf(asked, code, text);
    if (forNow !== null) {
      const waitsFor = { what: forNow.waits_for, skus: null };
      return failure(asked, { kind: 'refused-for-now', maybeApplied: false }, told, { waitsFor });
    }
    const meaning = { kind, maybeApplied: asked.committing && kind === 'unavailable' };
    return failure(
      asked,
      meaning,
      `${told} ${mend}`,
      mend === LOCKED ? { lock: LOCKS[asked.dialect], retryAfterMs: LOCKED_MS } : {},
    );
  }
  const lacking = asked.key === null ? descriptorFailure(asked, code) : null;
  if (lacking !== null) return lacking;
  const mend =
    CERTIFICATE.test(code) || /SSL|TLS/.test(text)
      ? 'Check erp.tls: a server without TLS needs "tls: off", and one with a certificate of its own needs erp.tls_ca.'
      : 'Check erp.url and that it is up.';
  const reached = asked.key === null && LOST.test(code) ? 'could not be reached' : 'broke the connection';
  const why = code === '' ? text : code;
  return failed(
    asked,
    'unavailable',
    `${subjectOf(asked)} ${reached} when asked to ${asked.purpose} (${why}). ${mend}`,
    asked.committing,
  );
}

function forNowOf({ write, refusedForNow }: SqlCall, code: string, text: string): ForNow | null {
  const fits = (one: ForNow) => one.code === code && (one.contains === undefined || text.includes(one.contains));
  return (write ? refusedForNow.find(fits) : undefined) ?? null;
}

function stopped(asked: SqlCall, { why }: Stopped): CallFailure {
  if (why === 'large') return invalidAnswerOf(asked, '', `more than ${MAX_BODY_BYTES} bytes at a time`);
  const text =
    why === 'aborted'
      ? stoppedText(asked)
      : `${lateText(asked)}${asked.key === null ? '' : ` (erp.${asked.key})`}. Check that it is up, and that the statement finds an index.`;
  return failed(asked, 'unavailable', text, asked.committing);
}

/** A row or answer that does not fit. The write was rolled back before. */
export function invalidAnswerOf(asked: SqlCall, path: string, message: string): CallFailure {
  const where = path === '' ? '' : ` at ${path}`;
  const text = `The answer of ${asked.erp} to erp.${asked.key} does not fit${where} (${quoted(message, asked)}) when asked to ${asked.purpose}. Correct the statement, or the record.`;
  return failure(asked, { ...INVALID_ANSWER, maybeApplied: false }, text, { path });
}

/** A write that could not be rolled back completely. */
export function rollbackFailure(asked: SqlCall): CallFailure {
  const text = `${subjectOf(asked)} could not roll back everything that it was asked to ${asked.purpose}: one of its tables has no transactions. Let its tables be InnoDB.`;
  return failed(asked, 'refused', text, true);
}

export function failed(asked: SqlCall, kind: FailureKind, text: string, maybeApplied = false): CallFailure {
  return failure(asked, { kind, maybeApplied }, text);
}

/** A duplicate in a unique index, in both databases. */
export function isDuplicate(error: unknown): boolean {
  const { code, errno } = fieldsOf(error);
  return code === '23505' || errno === 1062;
}

/** A value that the column's type cannot hold, so no record has it. */
export function isInvalidValue(error: unknown): boolean {
  const { code, errno } = fieldsOf(error);
  return isInvalidText(error) || code === '22P02' || code === '22003' || errno === 1366 || errno === 1292;
}

/**
 * A character that the database or column cannot hold. It may be in the statement or a stored row, so this says nothing
 * of plain values.
 */
export function isInvalidText(error: unknown): boolean {
  const { code, errno } = fieldsOf(error);
  return code === '22P05' || code === '22021' || [1267, 1270, 1271, 3854, 3988].includes(Number(errno));
}

/** Every character set has plain letters, so an error about them comes from the statement or a stored row. */
export const isPlain = (value: unknown): boolean => /^[ -~]*$/.test(String(value));

interface Fields {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly severity?: unknown;
  readonly message?: unknown;
  /** In PostgreSQL, the step: `while updating tuple (0,9) in relation "lager"`. */
  readonly where?: unknown;
}

function fieldsOf(error: unknown): Fields {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Whether the server answered. Otherwise the connection broke or never existed. */
function isAnswer(error: unknown): boolean {
  const { severity, sqlState, errno } = fieldsOf(error);
  return severity !== undefined || (typeof sqlState === 'string' && typeof errno === 'number' && errno > 0);
}

function said(error: unknown, asked: SqlCall): { code: string; text: string } {
  const { code, errno, message, where } = fieldsOf(error);
  const number = asked.dialect === 'mysql' && typeof errno === 'number' && errno > 0 ? String(errno) : null;
  const locked = code === '55P03' && typeof where === 'string' ? ` ${where}` : '';
  const text = quoted((typeof message === 'string' ? message : String(error)) + locked, asked);
  return {
    code: number ?? (typeof code === 'string' ? code : ''),
    text: code === '42P18' ? withNames(text, asked) : text,
  };
}

/** PostgreSQL names values $1, $2 and so on. */
function withNames(text: string, { names = [] }: SqlCall): string {
  return text.replaceAll(/\$(\d+)/g, (all, at: string) =>
    names[Number(at) - 1] === undefined ? all : `:${names[Number(at) - 1]}`,
  );
}
