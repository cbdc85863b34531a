import { z } from 'zod';
import type { Chance } from '../chance.ts';

/** The calls that a fault applies to. A missing part matches all. */
const aim = {
  /** For calls only: an operation (`orders.create`) or a family (`orders.*`). */
  operation: z.string().optional(),
  /** For calls, rows and webhooks. */
  entity: z.enum(['orders', 'products']).optional(),
  /** How many matching calls pass first. */
  after: z.int().min(0).optional(),
  /** How often it occurs; by default until cleared. */
  times: z.int().min(1).optional(),
  /** A probability drawn from the seed; by default always. */
  chance: z.number().min(0).max(1).optional(),
};

const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...aim, ...shape });

const MAX_DELAY_MS = 600_000;
const ms = z.int().min(0).max(MAX_DELAY_MS);
const retryAfterSeconds = z.int().min(0).max(3600);
const status = z.int().min(400).max(599);

export const faultSchema = z.discriminatedUnion('kind', [
  /** Cuts the connection before or after the call is applied. */
  kind('reset-before', {}),
  kind('reset-after', {}),
  /** Delays the call, even if the caller hangs up; or delays its answer. */
  kind('delay-before', { ms }),
  kind('delay-after', { ms }),
  kind('status-before', { status, retryAfterSeconds: retryAfterSeconds.optional() }),
  kind('status-after', { status, retryAfterSeconds: retryAfterSeconds.optional() }),
  /** Half the answer, then a cut connection. */
  kind('truncate-body', {}),
  /** HTML instead of the answer. */
  kind('html-body', {}),
  /** A successful write that ignores this field. */
  kind('field-ignored', { field: z.string().min(1) }),
  /** A write's answer with only the id, or only inventory fields. */
  kind('sparse-answer', { keep: z.enum(['id', 'inventory']) }),
  /** 429 despite remaining calls. */
  kind('rate-limit', { retryAfterSeconds }),
  /** Calls of another program with the same owner. Not aimed at calls. */
  kind('foreign-calls', { perSecond: z.number().positive().max(1000) }),
  /** A list's `next` names another host, the same page, or nothing. */
  kind('next-lies', { next: z.enum(['other-host', 'same-page', 'null']) }),
  /**
   * A written row appears late in lists, with its original `modified`. Until then lists show its earlier state or
   * nothing.
   */
  kind('late-rows', { ms: ms.optional(), lists: z.int().min(1).optional() }),
  /** A row gets the `modified` of the row written before. */
  kind('same-modified', {}),
  /** Cuts a row's `modified` to the second. */
  kind('whole-second-modified', {}),
  /** An inventory command stays Pending for `ms`; by default forever. `operation` selects commands. */
  kind('command-pending', { ms: ms.optional() }),
  /** An accepted inventory command fails for this reason. */
  kind('command-failed', { reason: z.string().min(1) }),
  kind('webhook-lost', {}),
  kind('webhook-doubled', {}),
  kind('webhook-late', { ms }),
  /** Collects this many webhooks and sends them in reverse order. */
  kind('webhook-reordered', { batch: z.int().min(2).max(1000) }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/**
 * Parses `kind[@operation][,name=value...]`: `reset-after@orders.create,times=2` or `delay-before,ms=300,chance=0.1`.
 * @throws Error naming the mistake
 */
export function parseFault(text: string): Fault {
  const [head = '', ...parts] = text.split(',');
  const [name = '', operation] = head.split('@');
  const values = parts.map((part) => {
    const [key = '', value = ''] = part.split('=');
    return [key, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value];
  });
  const parsed = faultSchema.safeParse({
    kind: name,
    ...(operation === undefined ? {} : { operation }),
    ...Object.fromEntries(values),
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'fault'}: ${issue.message}`);
  throw new Error(`fault "${text}": ${problems.join('; ')}`);
}

export interface Occasion {
  readonly operation?: string;
  readonly entity?: 'orders' | 'products';
}

const MAX_FAULTS = 1000;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(chance: Chance) {
  const active = new Map<number, { fault: Fault; seen: number; struck: number }>();
  let lastId = 0;
  return {
    /** Returns the id. */
    set(fault: Fault): number {
      if (active.size >= MAX_FAULTS) throw new Error(`${MAX_FAULTS} faults are set already; clear some first`);
      lastId += 1;
      active.set(lastId, { fault, seen: 0, struck: 0 });
      return lastId;
    },
    /** Without an id, all. */
    clear(id?: number): void {
      if (id === undefined) active.clear();
      else active.delete(id);
    },
    /** Each with its counts of matches and occurrences. */
    list: () => [...active].map(([id, entry]) => ({ id, ...entry })),
    /** The first of these kinds that applies now. Counts an occurrence. */
    strike<Kind extends FaultKind>(kinds: readonly Kind[], occasion: Occasion): FaultOf<Kind> | null {
      for (const entry of active.values()) {
        if (!isOfKind(entry.fault, kinds) || !isAimedAt(entry.fault, occasion)) continue;
        entry.seen += 1;
        if (entry.seen <= (entry.fault.after ?? 0)) continue;
        if (entry.struck >= (entry.fault.times ?? Number.POSITIVE_INFINITY)) continue;
        if (entry.fault.chance !== undefined && chance.fraction() >= entry.fault.chance) continue;
        entry.struck += 1;
        return entry.fault;
      }
      return null;
    },
  };
}

function isOfKind<Kind extends FaultKind>(fault: Fault, kinds: readonly Kind[]): fault is FaultOf<Kind> {
  return (kinds as readonly FaultKind[]).includes(fault.kind);
}

function isAimedAt(fault: Fault, occasion: Occasion): boolean {
  if (fault.entity !== undefined && fault.entity !== occasion.entity) return false;
  if (fault.operation === undefined) return true;
  const family = fault.operation.endsWith('*') ? fault.operation.slice(0, -1) : null;
  return family === null ? fault.operation === occasion.operation : (occasion.operation ?? '').startsWith(family);
}
