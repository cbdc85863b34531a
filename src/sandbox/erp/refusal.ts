/** What a refusal waits for, in the contract's words. */
interface Awaited {
  readonly waits_for: 'stock' | 'product' | 'time';
  readonly skus?: readonly string[];
}

/** A refusal: a status, `{"error": message}`, and what it waits for. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly awaited: Awaited | null;

  constructor(statusCode: number, message: string, awaited: Awaited | null = null) {
    super(message);
    this.statusCode = statusCode;
    this.awaited = awaited;
  }
}
