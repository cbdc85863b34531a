import type { Cause } from '../../domain/causes/cause.ts';
import type { Known, Look } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';
import type { AccountContext } from './context.ts';
import type { Decision, Planned } from './decision.ts';

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
  observe(context: Known, key: string): Promise<Snapshot>;
  /**
   * The same, right before a write: a side is read where its shadow may be old. A flow whose shadows are always good enough
   * leaves this out.
   */
  observeFresh?(context: AccountContext, look: Look): Promise<Snapshot>;
  /** Puts new knowledge of a look on record, before the look acts. Planning records nothing. */
  remember?(context: AccountContext, look: Look, snapshot: Snapshot): Promise<void>;
  decide(snapshot: Snapshot): Decision<Action>;
  /** @throws CallFailure */
  apply(context: AccountContext, look: Look, action: Action): Promise<Applied>;
}
