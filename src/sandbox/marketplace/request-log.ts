export interface LoggedCall {
  readonly at: string;
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly url: string;
  /** Operation id; null when the table has no such path and method. */
  readonly operation: string | null;
  /** Owner of the key; null for an unknown key. */
  readonly owner: string | null;
  /** The version that was used; null when the call was refused before its version was read. */
  readonly version: string | null;
  /** null when the connection was cut before an answer. */
  readonly status: number | null;
  /** Body as it was sent, at most 2,000 characters. */
  readonly body: string;
  /** Whether the call's effect was kept. */
  readonly applied: boolean;
  /** The faults that struck it. */
  readonly faults: readonly string[];
}

const KEPT = 20_000;

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog() {
  let calls: LoggedCall[] = [];
  let total = 0;
  const byOperation = new Map<string, number>();
  const byStatus = new Map<string, number>();
  const bump = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    add(call: LoggedCall): void {
      total += 1;
      bump(byOperation, call.operation ?? 'none');
      bump(byStatus, String(call.status ?? 'cut'));
      calls.push(call);
      if (calls.length > KEPT * 2) calls = calls.slice(-KEPT);
    },
    /** The latest calls, oldest first; at most 20,000 are kept. */
    calls: (): readonly LoggedCall[] => calls.slice(-KEPT),
    /** Calls by operation id since the last reset; `none` counts the calls that match no operation. */
    counts: (): Readonly<Record<string, number>> => Object.fromEntries(byOperation),
    statuses: (): Readonly<Record<string, number>> => Object.fromEntries(byStatus),
    total: () => total,
    reset(): void {
      calls = [];
      total = 0;
      byOperation.clear();
      byStatus.clear();
    },
  };
}
