import type { AccountConfig } from '../config/resolve.ts';
import type { ErpCan } from '../erp/connector.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import type { CollectionName } from '../shadow/collections.ts';
import type { MappingKind } from '../store/links.ts';
import type { BrakeKind } from './engine/policy.ts';

/** A flow as the rest of the program knows it. Its run, which observes, decides and applies, is in `flow.ts` beside it. */
export interface FlowDescriptor {
  /** The flow in the words of people who do not open terminals. */
  readonly title: string;
  /** The thing that the flow brings into step, for a person. */
  readonly about: string;
  readonly isOn: (account: AccountConfig) => boolean;
  /** The list that has a row for each key of the flow. */
  readonly keys: CollectionName;
  /** The kind of link that joins the two sides of an entity. */
  readonly links: MappingKind;
  /** The lists from which the flow decides. */
  readonly reads: (account: AccountConfig) => readonly CollectionName[];
  /**
   * The marketplace operations that the flow calls as it is configured, with those of its lists. The key needs permission for
   * them.
   */
  readonly operations: (account: AccountConfig) => readonly OperationId[];
  /** The entries of the journal that are writes, by the side they go to. Links and alerts go to neither. */
  readonly writes: Readonly<Partial<Record<'marketplace' | 'erp', readonly string[]>>>;
  /** The writes that follow from the strategy. They wait while another strategy waits for approval. */
  readonly byStrategy?: readonly string[];
  /** The abilities that the flow needs of the ERP, beyond those that every ERP has. */
  readonly erpCan?: ErpCan;
  readonly brakes?: FlowBrakes;
  /** The flow makes the links that stock waits for at a first start. */
  readonly makesFirstLinks?: true;
  /** Other flows in which an entity of this flow may wait. */
  readonly waitsIn?: readonly string[];
}

interface FlowBrakes {
  /** The lists that bring many braked writes at once: no such write is made while these lists are read. */
  readonly lists: readonly CollectionName[];
  /** The journal's entries that count against the limits. */
  readonly counts: Readonly<Partial<Record<BrakeKind, readonly string[]>>>;
  /** The whole of which a limit is a share. Creates are a share of the ERP's products. */
  readonly shareOf: 'listings' | 'customers' | 'open-orders';
  /** The writes are counted only once everything that belongs together is linked. */
  readonly onceLinked?: true;
}
