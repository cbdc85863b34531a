import type { Chance } from '../chance.ts';
import type { Fault, FaultKind, FaultOf } from './fault.ts';

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
