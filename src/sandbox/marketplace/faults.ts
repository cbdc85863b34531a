import { z } from 'zod';
import type { Chance } from '../chance.ts';

/** The calls that a fault strikes. A part that is absent matches everything. */
const aim = {
  /** Operation id (`orders.create`), or a family with a star (`orders.*`). Only calls have one. */
  operation: z.string().optional(),
  /** For calls, rows and webhooks. */
  entity: z.enum(['orders', 'products']).optional(),
  /** The first so many matching occasions pass unharmed. */
  after: z.int().min(0).optional(),
  /** The fault ends after so many strikes; absent: it lasts until it is cleared. */
  times: z.int().min(1).optional(),
  /** The chance of a strike, drawn from the seed; absent: every matching occasion is struck. */
  chance: z.number().min(0).max(1).optional(),
};

const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...aim, ...shape });

const MAX_DELAY_MS = 600_000;
const ms = z.int().min(0).max(MAX_DELAY_MS);
const retryAfterSeconds = z.int().min(0).max(3600);
const status = z.int().min(400).max(599);

/** The faults that may be set. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** The connection is cut before the call is applied, or after: its answer is lost. */
  kind('reset-before', {}),
  kind('reset-after', {}),
  /** Delays the call before it is applied, even when the caller hangs up meanwhile; or delays the answer after that. */
  kind('delay-before', { ms }),
  kind('delay-after', { ms }),
  kind('status-before', { status, retryAfterSeconds: retryAfterSeconds.optional() }),
  kind('status-after', { status, retryAfterSeconds: retryAfterSeconds.optional() }),
  /** Half the answer, then the connection is cut. */
  kind('truncate-body', {}),
  /** A page of HTML in place of the answer. */
  kind('html-body', {}),
  /** A write is accepted, and this field of its body is ignored. */
  kind('field-ignored', { field: z.string().min(1) }),
  /** A write answers only its id, or only the inventory fields. */
  kind('sparse-answer', { keep: z.enum(['id', 'inventory']) }),
  /** 429 although this key has calls left. */
  kind('rate-limit', { retryAfterSeconds }),
  /** Another program of the key's owner makes this many calls a second. This fault has no aim. */
  kind('foreign-calls', { perSecond: z.number().positive().max(1000) }),
  /** The `next` of a list names another host, the same page, or nothing. */
  kind('next-lies', { next: z.enum(['other-host', 'same-page', 'null']) }),
  /** A written row shows up late in lists, with its original `modified`. Until then lists show the earlier row, or nothing. */
  kind('late-rows', { ms: ms.optional(), lists: z.int().min(1).optional() }),
  /** A written row gets the `modified` of the row written before it. */
  kind('same-modified', {}),
  /** A written row's `modified` is cut to the second. */
  kind('whole-second-modified', {}),
  /** An inventory command stays Pending for `ms`, or for ever without `ms`. `operation` says which commands the fault strikes. */
  kind('command-pending', { ms: ms.optional() }),
  /** An inventory command is accepted, and fails for this reason. */
  kind('command-failed', { reason: z.string().min(1) }),
  kind('webhook-lost', {}),
  kind('webhook-doubled', {}),
  kind('webhook-late', { ms }),
  /** Holds webhooks back until there are so many, then sends them in reverse order. */
  kind('webhook-reordered', { batch: z.int().min(2).max(1000) }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/**
 * Reads a fault as a command line gives it: `kind[@operation][,name=value...]`, e.g.
 * `reset-after@orders.create,times=2` or `delay-before,ms=300,chance=0.1`.
 * @throws Error that names the mistake
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
    /** Returns the fault's id. */
    set(fault: Fault): number {
      if (active.size >= MAX_FAULTS) throw new Error(`${MAX_FAULTS} faults are set already; clear some first`);
      lastId += 1;
      active.set(lastId, { fault, seen: 0, struck: 0 });
      return lastId;
    },
    /** One fault, or all. */
    clear(id?: number): void {
      if (id === undefined) active.clear();
      else active.delete(id);
    },
    /** Every fault, with the number of its matching occasions and of its strikes so far. */
    list: () => [...active].map(([id, entry]) => ({ id, ...entry })),
    /** The first fault of these kinds that strikes on this occasion; it counts as a strike. */
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
