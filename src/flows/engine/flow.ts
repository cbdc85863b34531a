import type { AccountConfig } from '../../config/resolve.ts';
import type { Cause } from '../../domain/causes/cause.ts';
import type { AccountRecords, Look } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';
import type { AccountContext } from './context.ts';
import type { Decision, Planned } from './decision.ts';
import type { Braked } from './policy.ts';

/** The result of one look at one key. */
export type Result =
  | { readonly state: 'in-sync'; readonly written: number; readonly lookAgainMs: number | null }
  | { readonly state: 'held'; readonly written: number; readonly causes: readonly Cause[] }
  /** The rest follows as a job of the last lane; until then the worker is free. */
  | { readonly state: 'gives-way'; readonly written: number }
  | { readonly state: 'wait'; readonly written: number; readonly waitMs: number; readonly reason: string };

/** A look whose write is on its way. */
export interface WriteLook extends Look {
  /** Notes that the request leaves now, since it may have waited for the quota first. */
  readonly sending: () => Promise<void>;
  /**
   * Asked right before the request is sent: is the flow not paused, and would the write be decided again?
   * @param again answers the second question for flows whose ordinary look already sees this very write
   */
  readonly revalidate: (again?: () => Promise<boolean>) => Promise<boolean>;
  /** Had the key no news since it was observed? It answers for a write that rests on the rows of its own key alone. */
  readonly isUnchanged: () => Promise<boolean>;
}

/** The same look, with another way to decide the write again: one that leaves this very write out. */
export function revalidatedBy(look: WriteLook, again: () => Promise<boolean>): WriteLook {
  return { ...look, revalidate: () => look.revalidate(again) };
}

/** The result of one action. `adopted`: an entity was there already, and was linked instead of creating a second one. */
export type Applied =
  | { readonly outcome: 'written' | 'refused' | 'noted'; readonly answer: string; readonly adopted?: string }
  /** Something changed before the write was sent: decide again. */
  | { readonly outcome: 'superseded'; readonly answer: string }
  /** It is not known yet whether an earlier write was applied. The key is looked at again after this long. */
  | { readonly outcome: 'wait'; readonly waitMs: number; readonly answer: string }
  /** Neither confirmed nor denied: an operator decides. */
  | { readonly outcome: 'in-doubt'; readonly doubt: Cause }
  /** An operator gave the write up: it is not tried again while the entity stays as it is. */
  | { readonly outcome: 'dropped'; readonly doubt: Cause };

/**
 * A flow brings one kind of entity into step: it observes both sides, decides with a pure function, and applies one
 * action at a time. Running it twice is harmless; nothing but the key is ever passed to it.
 */
export interface Flow<Snapshot, Action extends Planned> {
  readonly name: FlowName;
  /** Both sides as the shadows have them. Calls neither side. */
  observe(context: AccountRecords, key: string): Promise<Snapshot>;
  /**
   * The same, right before a write: a side is read where its shadow may be old. A flow whose shadows are always good enough
   * leaves this out.
   */
  observeFresh?(context: AccountContext, look: Look): Promise<Snapshot>;
  /** Puts new knowledge of a look on record, before the look acts. Planning records nothing. */
  remember?(context: AccountContext, look: Look, snapshot: Snapshot): Promise<void>;
  decide(snapshot: Snapshot): Decision<Action>;
  /** @throws CallFailure */
  apply(context: AccountContext, look: WriteLook, action: Action): Promise<Applied>;
  /** The flow that does the work of this one, as the account is configured; null: this one does. */
  handsTo?(config: AccountConfig): FlowName | null;
  /** Names of the work that its looks exclude, from the observation to the answer: looks of one name follow each other. */
  excludes?(context: AccountRecords, key: string): Promise<readonly string[]>;
  /** Marks or releases the keys, also of other flows, that the result of a look concerns. */
  wakes?(context: AccountContext, look: Look, result: Result): Promise<void>;
}

/** A flow of any snapshot. */
export type AnyFlow = Flow<unknown, Planned & Braked>;
