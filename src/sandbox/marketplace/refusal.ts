/** A refusal by the marketplace: an HTTP status and the body of the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** `{"detail": "..."}`: refuses the call as a whole. */
export function refuse(status: number, detail: string): Refusal {
  return new Refusal(status, { detail });
}

/** 400 `{field: ["message"]}`. */
export function invalid(field: string, message: string): Refusal {
  return new Refusal(400, { [field]: [message] });
}
