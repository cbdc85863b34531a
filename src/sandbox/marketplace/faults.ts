import type { Chance } from './prng.ts';

/** How a fault is aimed. Every part that is absent matches everything. */
interface Aim {
  /** Operation id (`orders.create`), or a family with a star (`orders.*`). For calls only. */
  readonly operation?: string;
  /** orders or products. For rows, webhooks and lists. */
  readonly entity?: 'orders' | 'products';
  /** Lets this many matching occasions pass first. */
  readonly after?: number;
  /** Strikes this many times, then is over; absent: until cleared. */
  readonly times?: number;
  /** Strikes with this chance, from the seed. Absent: always. */
  readonly chance?: number;
}

export type Fault = Aim &
  (
    | { readonly kind: 'reset-before' | 'reset-after' }
    /** Holds the call, before it is applied or its answer after it was. */
    | { readonly kind: 'delay-before' | 'delay-after'; readonly ms: number }
    | { readonly kind: 'status-before' | 'status-after'; readonly status: number; readonly retryAfterSeconds?: number }
    /** Half the answer, then the connection is gone. */
    | { readonly kind: 'truncate-body' }
    /** 200 with a page of HTML in place of the answer. */
    | { readonly kind: 'html-body' }
    /** 429 although this key has calls left: another program of the owner took them. */
    | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number }
    /** Another program of the key's owner makes this many calls a second (not aimed). */
    | { readonly kind: 'foreign-calls'; readonly perSecond: number }
    /** The `next` of a list names another host, the same page, or nothing. */
    | { readonly kind: 'next-lies'; readonly next: 'other-host' | 'same-page' | 'null' }
    /** A written row shows up in lists late, with its original `modified`: until then its former self, or nothing. */
    | { readonly kind: 'late-rows'; readonly ms?: number; readonly lists?: number }
    /** A written row gets the `modified` of the row written before it. */
    | { readonly kind: 'same-modified' }
    /** A written row's `modified` is cut to the second. */
    | { readonly kind: 'whole-second-modified' }
    | { readonly kind: 'webhook-lost' | 'webhook-doubled' }
    | { readonly kind: 'webhook-late'; readonly ms: number }
    /** Holds webhooks back until there are this many, then sends them last first. */
    | { readonly kind: 'webhook-reordered'; readonly batch: number }
  );

export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Fault & { readonly kind: Kind };

export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** Matching occasions so far, and how often it struck. */
  readonly seen: number;
  readonly struck: number;
}

export interface Occasion {
  readonly operation?: string;
  readonly entity?: 'orders' | 'products';
}

export interface Faults {
  /** Returns the fault's id. */
  set(fault: Fault): number;
  /** One fault, or all. */
  clear(id?: number): void;
  list(): ActiveFault[];
  /** The first fault of these kinds that strikes on this occasion; it counts as a strike. */
  strike<Kind extends FaultKind>(kinds: readonly Kind[], occasion: Occasion): FaultOf<Kind> | null;
}

const MAX_FAULTS = 1000;

export function createFaults(chance: Chance): Faults {
  const active = new Map<number, { fault: Fault; seen: number; struck: number }>();
  let lastId = 0;
  return {
    set(fault) {
      if (active.size >= MAX_FAULTS) throw new Error(`${MAX_FAULTS} faults are set already; clear some first`);
      lastId += 1;
      active.set(lastId, { fault, seen: 0, struck: 0 });
      return lastId;
    },
    clear(id) {
      if (id === undefined) active.clear();
      else active.delete(id);
    },
    list: () => [...active].map(([id, entry]) => ({ id, ...entry })),
    strike(kinds, occasion) {
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
