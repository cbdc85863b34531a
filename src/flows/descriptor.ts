import type { AccountConfig } from '../config/resolve.ts';
import type { ErpCan } from '../erp/connector.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import type { CollectionName } from '../shadow/collections.ts';
import type { MappingKind } from '../store/links.ts';
import type { BrakeKind } from './engine/policy.ts';

/** A flow as the rest of the program knows it. Its run, which observes, decides and applies, is in runs.ts. */
export interface FlowDescriptor {
  /** The thing it brings into step, for a person. */
  readonly about: string;
  readonly isOn: (account: AccountConfig) => boolean;
  /** The list whose rows its keys name. */
  readonly keys: CollectionName;
  /** The kind of link that joins the two sides of its entity. */
  readonly links: MappingKind;
  /** The lists it is decided from. */
  readonly reads: (account: AccountConfig) => readonly CollectionName[];
  /** The marketplace operations that it calls as it is configured, with those of its lists: the key's permissions follow. */
  readonly operations: (account: AccountConfig) => readonly OperationId[];
  /** The entries of the journal that are writes, by the side they go to. Links and alerts go to neither. */
  readonly writes: Readonly<Partial<Record<'marketplace' | 'erp', readonly string[]>>>;
  /** Those of its writes that follow from the strategy, so that they wait while another strategy waits for approval. */
  readonly byStrategy?: readonly string[];
  /** What the ERP has to be able to for it, beyond that which every ERP can. */
  readonly erpCan?: ErpCan;
  readonly brakes?: FlowBrakes;
  /** Its entities may wait in these flows as well. */
  readonly waitsIn?: readonly string[];
}

interface FlowBrakes {
  /** The lists that bring many braked writes at once: none is made while they are read. */
  readonly broughtBy: readonly CollectionName[];
  /** The journal's entries that count against the limits. */
  readonly counts: Readonly<Partial<Record<BrakeKind, readonly string[]>>>;
  /** The things that a share is a share of; creates are a share of the ERP's products. */
  readonly shareOf: 'listings' | 'customers' | 'open-orders';
  /** Counted only once everything is linked that belongs together. */
  readonly onceLinked?: true;
}
