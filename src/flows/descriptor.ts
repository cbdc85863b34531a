import type { AccountConfig } from '../config/resolve.ts';
import type { ErpCan } from '../erp/connector.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import type { CollectionName } from '../shadow/collections.ts';
import type { MappingKind } from '../store/links.ts';
import type { BrakeKind } from './engine/policy.ts';

/** Static properties of a flow. Its behaviour is in its `flow.ts`. */
export interface FlowDescriptor {
  /** The name for people who do not use a terminal. */
  readonly title: string;
  readonly about: string;
  readonly isOn: (account: AccountConfig) => boolean;
  /** The list with a row for each key of the flow. */
  readonly keys: CollectionName;
  readonly links: MappingKind;
  readonly reads: (account: AccountConfig) => readonly CollectionName[];
  /**
   * The marketplace operations of the flow and its lists under this configuration. The API key needs permission for
   * them.
   */
  readonly operations: (account: AccountConfig) => readonly OperationId[];
  /** Journal actions that write, by side. Links and alerts write to neither. */
  readonly writes: Readonly<Partial<Record<'marketplace' | 'erp', readonly string[]>>>;
  /** Actions that depend on the strategy. They wait while a change of strategy waits for approval. */
  readonly byStrategy?: readonly string[];
  /** Optional ERP capabilities that the flow needs. */
  readonly erpCan?: ErpCan;
  readonly brakes?: FlowBrakes;
  /** The flow makes the links that stock waits for at a first start. */
  readonly makesFirstLinks?: true;
  /** Other flows in which this flow's entities may wait. */
  readonly waitsIn?: readonly string[];
}

interface FlowBrakes {
  /** Lists that cause many braked writes at once. No such write is made while one is being read. */
  readonly lists: readonly CollectionName[];
  /** Journal actions that count against the limits. */
  readonly counts: Readonly<Partial<Record<BrakeKind, readonly string[]>>>;
  /** The total for percentage limits. Creates use the number of ERP products. */
  readonly shareOf: 'listings' | 'customers' | 'open-orders';
  /** Writes are counted only after the first links were made. */
  readonly onceLinked?: true;
}
