import type { ShownCause } from '../../domain/causes/cause.ts';
import type { StrategyName } from '../../domain/strategy.ts';
import type { MappingKind } from '../../store/links.ts';
import type { Shown } from '../jobs/dossier.ts';

/* The explanation of an entity. All of it is JSON: instants are texts in UTC, quantities are exact texts. */

/** Everything that is known of one entity as of a moment, and why it is as it is. */
export interface Explanation {
  readonly account: string;
  readonly kind: MappingKind;
  /** The name that people use: the SKU, the order's number, the customer's name. */
  readonly name: string;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
  /** The moment that is explained. */
  readonly at: string;
  /** The moment is in the past: the explanation shows the records of then. */
  readonly isPast: boolean;
  /** The answer in a sentence or two. */
  readonly answer: string;
  readonly sides: Sides;
  readonly link: { readonly state: 'create-pending' | 'linked'; readonly how: string } | null;
  /** The sum that makes the stock figure; null for an entity without stock. */
  readonly stock: StockSum | null;
  /** The sums by facility and batch, where stock is kept by facility; empty elsewhere, and for a moment of the past. */
  readonly facilities: readonly FacilitySum[];
  /** Each flow that brings it into step; empty for a moment of the past. */
  readonly flows: readonly FlowNow[];
  /** Everything that happened to the entity, newest first. */
  readonly story: readonly Happening[];
  /** Older happenings are on record, but not in the story. */
  readonly hasMore: boolean;
  /** The first instant with a record of the entity; null: nothing is on record at all. */
  readonly recordedFrom: string | null;
  /** The facts that are not on record for a moment of the past, in sentences. */
  readonly unknown: readonly string[];
  /** The entities that belong to it, by names that explain themselves. */
  readonly related: readonly Related[];
}

/** Both sides, and the state on which they agreed last. */
export interface Sides {
  readonly marketplace: SideShown;
  readonly erp: SideShown;
  readonly base: Shown | null;
  /** The names of the fields, among those that both sides show by the same name, that differ. */
  readonly differing: readonly string[];
}

export interface SideShown {
  /** null: the side does not show it, or what it showed then is not on record. */
  readonly fields: Shown | null;
  /** The last read of the list that shows the entity; null: never. */
  readonly readAt: string | null;
}

/** The stock figure as a sum: `figure` is `erp.available` less `buffer` and the units of the lines, and never below zero. */
export interface StockSum {
  readonly strategy: StrategyName;
  /** The field that is written. */
  readonly field: 'quantity' | 'available_inventory';
  readonly erp: {
    readonly onHand: string | null;
    readonly reserved: string | null;
    readonly available: string;
    /** The instant of the ERP's figures, on its clock. */
    readonly asOf: string;
  };
  readonly buffer: string;
  readonly lines: readonly LedgerRow[];
  /** The units that buyers may take. Below zero: more is sold than there is. */
  readonly available: string;
  /** The figure that is written. */
  readonly figure: string;
  /** The figure that the marketplace shows in that field; null: not known. */
  readonly shown: string | null;
  /** The last write of the figure until the moment. */
  readonly written: { readonly figure: string; readonly at: string } | null;
}

/** The figure of one facility and batch. The rows add up to `available`; `available` and `reserved` make the `figure` on hand. */
export interface FacilitySum {
  readonly facility: number;
  readonly batch: number;
  /** The ERP's name of this facility and batch. */
  readonly erpName: string;
  readonly rows: readonly { readonly name: string; readonly adds: string; readonly why: string }[];
  /** The units that buyers may take there. Below zero: more is sold than there is. */
  readonly available: string;
  /** The units that the marketplace has reserved there, and subtracts itself. */
  readonly reserved: string;
  /** The units on hand that are written. */
  readonly figure: string;
  /** The units on hand that the marketplace shows; null: it does not list the place. */
  readonly shown: string | null;
}

/** A live line of an order, or units that no known order explains. */
export interface LedgerRow {
  /** The order's number; null: no known order explains it. */
  readonly order: string | null;
  readonly status: string | null;
  /** In the ERP's units. */
  readonly quantity: string;
  /** The figure of the marketplace that counts the line. */
  readonly there: 'reserved' | 'consumed' | 'none';
  /** Does the ERP's figure count it already? */
  readonly counted: boolean;
  /** The units that the row adds to the figure; below zero, it takes them away. */
  readonly adds: string;
  readonly why: string;
}

/** The state of a flow for an entity, and its next writes. */
export interface FlowNow {
  readonly flow: string;
  readonly key: string;
  readonly state: 'in-step' | 'to-write' | 'held' | 'failed' | 'in-doubt';
  /** The entity waits to be looked at. */
  readonly isWaiting: boolean;
  readonly writes: readonly WriteNow[];
  /** The reasons why nothing (more) is written, each with the side whose turn it is and the next step. */
  readonly holds: readonly ShownCause[];
  readonly alerts: readonly ShownCause[];
  /** The instant since when the entity is held, or its job has failed. */
  readonly since: string | null;
  /** The failed job, to replay it. */
  readonly job: number | null;
  /** The writes whose outcome a person has to decide, with the commands for it. */
  readonly doubts: readonly {
    readonly id: number;
    readonly evidence: ShownCause | null;
    readonly choices: readonly string[];
  }[];
}

export interface WriteNow {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** The reason why the write would not be made: dry run, a pause, a brake. */
  readonly stoppedBy: ShownCause | null;
}

/** Something that happened, in the words of the record. */
export interface Happening {
  readonly at: string;
  /** event: a webhook. read: a side showed something new. write: something was sent. note: a link, an alert, a drift. act: a person. */
  readonly kind: 'event' | 'read' | 'write' | 'note' | 'act';
  /** A name of the record that stays the same: `journal:17`. */
  readonly id: string;
  readonly flow: string | null;
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** The outcome of a write: written, refused, unknown, sent, dry-run. */
  readonly outcome: string | null;
  readonly answer: string;
  /** The person who acted. */
  readonly who: string | null;
}

export interface Related {
  readonly kind: MappingKind;
  /** The SKU, number or id of the related entity. */
  readonly name: string;
  readonly text: string;
}
