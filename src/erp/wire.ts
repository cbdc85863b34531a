/** What is lost of a call: the call itself, or its answer. Either way the connection breaks after bytes have left. */
export type Cut = 'not-applied' | 'answer-lost';

/** One exchange with the ERP: an HTTP call, an SQL statement, a file. */
export interface WireExchange {
  /** `PATCH /v1/orders/{id}`: the call, never the record. */
  readonly operation: string;
  /** As it was sent, secrets and all. */
  readonly request: string;
  /** As it was received, before rows of it were set aside; null when there was none. */
  readonly answer: string | null;
}

/** Stands between a connector and its ERP, for a person who looks on or a check that breaks connections. */
export interface Wire {
  /** Called with every exchange once it has ended. */
  readonly saw?: (exchange: WireExchange) => void;
  /** Asked right before each call that belongs to a write. null lets it through. */
  readonly cut?: (operation: string) => Cut | null;
}
