/** The change that may mend a refusal, as the contract names it. */
interface Awaited {
  readonly waits_for: 'stock' | 'product' | 'time';
  readonly skus?: readonly string[];
}

/** The ERP's answer to a wrong request: a status and `{"error": message}`, with the change that it waits for. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly awaited: Awaited | null;

  constructor(statusCode: number, message: string, awaited: Awaited | null = null) {
    super(message);
    this.statusCode = statusCode;
    this.awaited = awaited;
  }
}
