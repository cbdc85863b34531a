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
  /** The rest becomes a follow-up job, and the worker is free. */
  | { readonly state: 'gives-way'; readonly written: number }
  | { readonly state: 'wait'; readonly written: number; readonly waitMs: number; readonly reason: string };

/** A look that is writing. */
export interface WriteLook extends Look {
  /** Records that the request is sent now. It may have waited for the quota first. */
  readonly sending: () => Promise<void>;
  /**
   * Called right before sending: returns whether the flow is not paused and the write would be decided again.
   * @param again decides again, for flows whose normal observation already includes this very write
   */
  readonly revalidate: (again?: () => Promise<boolean>) => Promise<boolean>;
  /**
   * Returns whether the key has had no news since it was observed. For a write that depends only on its own key's rows.
   */
  readonly isUnchanged: () => Promise<boolean>;
}

/** The same look, with a revalidation that ignores this write's own record. */
export function revalidatedBy(look: WriteLook, again: () => Promise<boolean>): WriteLook {
  return { ...look, revalidate: () => look.revalidate(again) };
}

/** The result of one action. `adopted`: an existing entity was linked instead of creating another one. */
export type Applied =
  | { readonly outcome: 'written' | 'refused' | 'noted'; readonly answer: string; readonly adopted?: string }
  /** Something changed before the write was sent. Decide again. */
  | { readonly outcome: 'superseded'; readonly answer: string }
  /** It is unknown whether an earlier write was applied. Look again after this time. */
  | { readonly outcome: 'wait'; readonly waitMs: number; readonly answer: string }
  /** An operator has to decide whether it was applied. */
  | { readonly outcome: 'in-doubt'; readonly doubt: Cause }
  /** An operator gave the write up. It is not repeated while the entity is unchanged. */
  | { readonly outcome: 'dropped'; readonly doubt: Cause };

/**
 * Brings one kind of entity into step: observes both sides, decides with a pure function, and applies one action at a
 * time. Idempotent. Its only input is the key.
 */
export interface Flow<Snapshot, Action extends Planned> {
  readonly name: FlowName;
  /** Reads both sides from the shadow, without a call. */
  observe(context: AccountRecords, key: string): Promise<Snapshot>;
  /** As `observe`, right before a write: reads a side whose shadow may be outdated. Optional. */
  observeFresh?(context: AccountContext, look: Look): Promise<Snapshot>;
  /** Stores what an observation has learned, before the look acts. Not called when planning. */
  remember?(context: AccountContext, look: Look, snapshot: Snapshot): Promise<void>;
  decide(snapshot: Snapshot): Decision<Action>;
  /** @throws CallFailure */
  apply(context: AccountContext, look: WriteLook, action: Action): Promise<Applied>;
  /** The flow that does this one's work under this configuration. null: this one. */
  handsTo?(config: AccountConfig): FlowName | null;
  /** Lock names, held from observation to answer. Looks with a common name run one after another. */
  excludes?(context: AccountRecords, key: string): Promise<readonly string[]>;
  wakes?(context: AccountContext, look: Look, result: Result): Promise<void>;
}

export type AnyFlow = Flow<unknown, Planned & Braked>;
