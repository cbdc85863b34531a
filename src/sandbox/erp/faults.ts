import { z } from 'zod';

/**
 * A fault on demand. `method` and the `path` prefix select calls; the first `after` pass, the next `times` fail (null:
 * until cleared).
 * Before the call: `reset` (dropped connection), `status` (refused; `applied`: with effect), `delay`. After it:
 * `lose-answer`, `truncate`, `garbage` (a proxy's page), `slow-answer`. In the answer: `incomplete` and `shrink` (each
 * page keeps the share `keep`; only `incomplete` says so), `empty`, `invalid-row` (replaces fields of rows with this
 * SKU or id; null: all rows), `stale` (times in the past).
 */
export const fault = z.intersection(
  z.object({
    method: z.enum(['GET', 'POST', 'PATCH']).optional(),
    path: z.string().startsWith('/v1/').optional(),
    after: z.int().min(0).default(0),
    times: z.int().min(1).nullable().default(1),
  }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('reset') }),
    z.object({
      kind: z.literal('status'),
      status: z.int().min(400).max(599),
      error: z.string().optional(),
      retryAfter: z.string().optional(),
      applied: z.boolean().default(false),
    }),
    z.object({ kind: z.literal('delay'), delayMs: z.int().min(0).max(60_000) }),
    z.object({ kind: z.literal('lose-answer') }),
    z.object({ kind: z.literal('truncate') }),
    z.object({ kind: z.literal('garbage') }),
    z.object({ kind: z.literal('slow-answer'), delayMs: z.int().min(0).max(60_000) }),
    z.object({ kind: z.literal('incomplete'), keep: z.number().min(0).max(1).default(0.5) }),
    z.object({ kind: z.literal('empty') }),
    z.object({ kind: z.literal('shrink'), keep: z.number().min(0).max(1) }),
    z.object({ kind: z.literal('invalid-row'), key: z.string().nullable(), set: z.record(z.string(), z.unknown()) }),
    z.object({ kind: z.literal('stale'), byMs: z.int().min(1) }),
  ]),
);
export type Fault = z.input<typeof fault>;
export type ActiveFault = z.output<typeof fault>;

const MAX_FAULTS = 1_000;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let active: ActiveFault[] = [];
  return {
    inject(input: Fault): void {
      if (active.length >= MAX_FAULTS) throw new RangeError(`At most ${MAX_FAULTS} faults at a time: clear some.`);
      active.push(fault.parse(input));
    },
    clear(): void {
      active = [];
    },
    /** The faults for this call, in order of injection. Counts them down. */
    strike(method: string, path: string): ActiveFault[] {
      const due: ActiveFault[] = [];
      for (const one of active) {
        if ((one.method ?? method) !== method || !path.startsWith(one.path ?? '')) continue;
        if (one.after > 0) one.after -= 1;
        else if (one.times === null || one.times > 0) {
          due.push(one);
          if (one.times !== null) one.times -= 1;
        }
      }
      active = active.filter((one) => one.times !== 0);
      return due;
    },
  };
}

/** The answer after faults that change content. */
export function distorted(body: unknown, due: readonly ActiveFault[]): unknown {
  return due.reduce((answer, one) => distort(answer, one), body);
}

function distort(body: unknown, one: ActiveFault): unknown {
  if (!isRecord(body)) return body;
  const items: unknown[] | null = Array.isArray(body['items']) ? body['items'] : null;
  switch (one.kind) {
    case 'incomplete':
      return items === null ? body : { ...body, items: firstOf(items, one.keep), complete: false };
    case 'empty':
      return items === null ? body : { ...body, items: [], next: null, complete: true };
    case 'shrink':
      return items === null ? body : { ...body, items: firstOf(items, one.keep) };
    case 'invalid-row':
      return items === null
        ? invalidated(body, one)
        : { ...body, items: items.map((row) => (isRecord(row) ? invalidated(row, one) : row)) };
    case 'stale':
      return aged(body, one.byMs);
    default:
      return body;
  }
}

function firstOf(rows: readonly unknown[], share: number): unknown[] {
  return rows.slice(0, Math.floor(rows.length * share));
}

function invalidated(row: Record<string, unknown>, one: { key: string | null; set: Record<string, unknown> }): unknown {
  return one.key === null || row['sku'] === one.key || row['id'] === one.key ? { ...row, ...one.set } : row;
}

/** Sets back every `as_of`. */
function aged(value: unknown, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((one) => aged(one, byMs));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) =>
      name === 'as_of' && typeof field === 'string'
        ? [name, new Date(Date.parse(field) - byMs).toISOString()]
        : [name, aged(field, byMs)],
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
