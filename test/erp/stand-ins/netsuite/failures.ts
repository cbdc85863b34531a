/*
 * How NetSuite refuses: docs.oracle.com, NetSuite online help, "Error Handling in REST Web Services" (section_156570709583): status,
 * title, and o:errorDetails with detail and o:errorCode.
 */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
};

export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A request that no page of the help permits. The test that sends one fails. */
export class Undocumented extends Error {}

export function refuse(status: number, code: string, detail: string): never {
  throw new Refused(status, code, detail);
}

/** A rule of the application, such as a missing item. */
export const userError = (detail: string): never =>
  refuse(400, 'USER_ERROR', `Error while accessing a resource. ${detail}`);

export function answerOf({ status, code, message }: Refused): object {
  const type = 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5';
  return { type, title: TITLES[status], status, 'o:errorDetails': [{ detail: message, 'o:errorCode': code }] };
}
