/*
 * How Frappe refuses: frappe/exceptions.py (the status of each exception), frappe/utils/response.py and frappe/app.py (exc_type,
 * exception, exc, _server_messages), frappe/__init__.py (msgprint: each message is a text of JSON in a text of JSON).
 */

const STATUS: Readonly<Record<string, number>> = {
  AuthenticationError: 401,
  PermissionError: 403,
  DoesNotExistError: 404,
  DuplicateEntryError: 409,
  // pymysql's error of a column that is not there has no status of its own.
  OperationalError: 500,
  TypeError: 500,
  JSONDecodeError: 500,
};
/** frappe/exceptions.py, class ValidationError and everything that is derived from it. */
const OF_VALIDATION = 417;

export class Refused extends Error {
  readonly type: string;
  readonly status: number;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
    this.status = STATUS[type] ?? OF_VALIDATION;
  }
}

/** frappe.throw */
export function refuse(message: string, type = 'ValidationError'): never {
  throw new Refused(type, message);
}

/** A request that no page and no line of Frappe's source permits. The test that sends one fails. */
export class Undocumented extends Error {}

const moduleOf = (type: string) => {
  if (type === 'OperationalError') return 'pymysql.err.';
  return ['TypeError', 'JSONDecodeError'].includes(type) ? '' : 'frappe.exceptions.';
};

export function answerOf({ type, status, message }: Refused): { status: number; body: object } {
  const exception = `${moduleOf(type)}${type}: ${message}`;
  const shown = JSON.stringify({ message, title: 'Message', indicator: 'red', raise_exception: 1 });
  const exc = JSON.stringify([
    `Traceback (most recent call last):\n  File "apps/frappe/frappe/app.py"\n${exception}\n`,
  ]);
  return { status, body: { exception, exc_type: type, exc, _server_messages: JSON.stringify([shown]) } };
}
