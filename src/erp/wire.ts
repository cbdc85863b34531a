/** The part of a call that is lost: the call itself, or its answer. In both cases the connection breaks after bytes were sent. */
export type Cut = 'not-applied' | 'answer-lost';

/** One exchange with the ERP: an HTTP call, an SQL statement, a file. */
export interface WireExchange {
  /** `PATCH /v1/orders/{id}`: the call, never the record. */
  readonly operation: string;
  /** The request as it was sent, secrets included. */
  readonly request: string;
  /** The answer as it was received, before rows were set aside; null when there was none. */
  readonly answer: string | null;
}

/** An observer between a connector and its ERP: a person who looks on, or a check that breaks connections. */
export interface Wire {
  /** Called with every exchange once it has ended. */
  readonly saw?: (exchange: WireExchange) => void;
  /** Asked right before each call that belongs to a write. null lets it through. */
  readonly cut?: (operation: string) => Cut | null;
}
