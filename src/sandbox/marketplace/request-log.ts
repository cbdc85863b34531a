export interface LoggedCall {
  readonly at: string;
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** null: no such path and method. */
  readonly operation: string | null;
  /** The key's owner; null: unknown key. */
  readonly owner: string | null;
  /** null: refused before it was read. */
  readonly version: string | null;
  /** null: the connection was cut. */
  readonly status: number | null;
  /** As sent, at most 2,000 characters. */
  readonly body: string;
  /** Whether its effect was committed. */
  readonly applied: boolean;
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
    /** Oldest first, at most 20,000. */
    calls: (): readonly LoggedCall[] => calls.slice(-KEPT),
    /** By operation id since the last reset; `none`: no operation. */
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
