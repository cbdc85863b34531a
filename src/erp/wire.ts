/** What is lost: the call or its answer. Either way the connection breaks after bytes were sent. */
export type Cut = 'not-applied' | 'answer-lost';

/** An HTTP call, an SQL statement or a file. */
export interface WireExchange {
  /** The call without record ids: `PATCH /v1/orders/{id}`. */
  readonly operation: string;
  /** As sent, with secrets. */
  readonly request: string;
  /** As received, before rows are parsed; null: none. */
  readonly answer: string | null;
}

/** Observes a connector and its ERP, for a person or for a check that breaks connections. */
export interface Wire {
  /** Called after each exchange. */
  readonly saw?: (exchange: WireExchange) => void;
  /** Called before each call of a write. null lets it through. */
  readonly cut?: (operation: string) => Cut | null;
}
