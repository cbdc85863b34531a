/** An entity that has to be looked at: its flow, its key there, and why. */
export interface Due {
  readonly flow: string;
  readonly key: string;
  readonly why: string;
}

/** Does the row have just these values? */
export function shows<Row extends object>(row: Row, fields: Partial<Row>): boolean {
  return Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value);
}
