/*
 * How Business Central refuses: dev-itpro/webservices/dynamics-error-codes.md of MicrosoftDocs/dynamics365smb-devitpro-pb lists the
 * codes with their messages, and dev-itpro/includes/include-http-status-error-codes.md the statuses.
 */

const STATUS: Readonly<Record<string, number>> = {
  Authentication_InvalidCredentials: 401,
  Authorization_RequestDenied: 403,
  BadRequest_ResourceNotFound: 404,
  BadRequest_NotFound: 404,
  Internal_RecordNotFound: 404,
  Request_EntityChanged: 409,
  BadRequest_MethodNotAllowed: 405,
  BadRequest_MethodNotImplemented: 501,
};

export class Refused extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.status = STATUS[code] ?? 400;
  }
}

/** A request that no page of the documentation permits. The test that sends one fails. */
export class Undocumented extends Error {}

let correlation = 0;
/** Every message ends with an id, by which Microsoft finds the call. */
export function answerOf({ code, message }: Refused): object {
  correlation += 1;
  const id = `00000000-0000-0000-0000-${String(correlation).padStart(12, '0')}`;
  return { error: { code, message: `${message}  CorrelationId:  ${id}.` } };
}

export function refuse(code: string, message: string): never {
  throw new Refused(code, message);
}
