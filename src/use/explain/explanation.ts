import type { ShownCause } from '../../domain/causes/cause.ts';
import type { StrategyName } from '../../domain/strategy.ts';
import type { MappingKind } from '../../store/links.ts';
import type { Shown } from '../jobs/dossier.ts';

/* Why an entity is as it is. All of it is JSON: instants are texts in UTC, quantities are exact texts. */

/** Everything that is known of one entity as of a moment, and why it is as it is. */
export interface Explanation {
  readonly account: string;
  readonly kind: MappingKind;
  /** As people know it: the SKU, the order's number, the customer's name. */
  readonly name: string;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
  /** The moment. */
  readonly at: string;
  /** It is a moment of the past: what follows is what was on record by then. */
  readonly isPast: boolean;
  /** The answer in a sentence or two. */
  readonly answer: string;
  readonly sides: Sides;
  readonly link: { readonly state: 'create-pending' | 'linked'; readonly how: string } | null;
  /** The sum that makes the stock figure; null for what has none. */
  readonly stock: StockSum | null;
  /** The same by facility and batch, where stock is kept so; empty elsewhere, and for a moment of the past. */
  readonly facilities: readonly FacilitySum[];
  /** Each flow that brings it into step; empty for a moment of the past. */
  readonly flows: readonly FlowNow[];
  /** What happened, newest first. */
  readonly story: readonly Happening[];
  /** Older things that happened are on record, and not in the story. */
  readonly hasMore: boolean;
  /** Nothing of it is on record from before this instant; null: nothing is on record at all. */
  readonly recordedFrom: string | null;
  /** What cannot be told of a moment of the past, in sentences. */
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
  /** When the list was read that it stands in; null: never. */
  readonly readAt: string | null;
}

/** The stock figure as a sum: `erp.available` less `buffer` and what the lines take is `figure`, and never below zero. */
export interface StockSum {
  readonly strategy: StrategyName;
  /** The field that is written. */
  readonly field: 'quantity' | 'available_inventory';
  readonly erp: {
    readonly onHand: string | null;
    readonly reserved: string | null;
    readonly available: string;
    /** When the ERP looked, on its clock. */
    readonly asOf: string;
  };
  readonly buffer: string;
  readonly lines: readonly LedgerRow[];
  /** What buyers may take. Below zero: more is sold than there is. */
  readonly available: string;
  /** What is written. */
  readonly figure: string;
  /** What the marketplace shows in that field; null: not known. */
  readonly shown: string | null;
  /** The last write of it until then. */
  readonly written: { readonly figure: string; readonly at: string } | null;
}

/** The figure of one facility and batch: its rows add up to `available`, and with `reserved` that is the `figure` on hand. */
export interface FacilitySum {
  readonly facility: number;
  readonly batch: number;
  /** As the ERP names the place. */
  readonly erpName: string;
  readonly rows: readonly { readonly name: string; readonly adds: string; readonly why: string }[];
  /** What buyers may take there. Below zero: more is sold than there is. */
  readonly available: string;
  /** What the marketplace has reserved there, and subtracts itself. */
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
  /** Where the marketplace counts it. */
  readonly there: 'reserved' | 'consumed' | 'none';
  /** Does the ERP's figure count it already? */
  readonly counted: boolean;
  /** What it adds to the figure: below zero, it takes that away. */
  readonly adds: string;
  readonly why: string;
}

/** What a flow would do now. */
export interface FlowNow {
  readonly flow: string;
  readonly key: string;
  readonly state: 'in-step' | 'to-write' | 'held' | 'failed' | 'in-doubt';
  /** It waits for its look. */
  readonly isWaiting: boolean;
  readonly writes: readonly WriteNow[];
  /** Why nothing (more) is written, each with whose turn it is and the next step. */
  readonly holds: readonly ShownCause[];
  readonly alerts: readonly ShownCause[];
  /** Since when it is held or has failed. */
  readonly since: string | null;
  /** The failed job, to replay it. */
  readonly job: number | null;
  /** The writes that wait for a person to say what became of them, with what may be typed. */
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
  /** Why it would not be made: dry run, a pause, a brake. */
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
  /** Of a write: written, refused, unknown, sent, dry-run. */
  readonly outcome: string | null;
  readonly answer: string;
  /** The person who acted. */
  readonly who: string | null;
}

export interface Related {
  readonly kind: MappingKind;
  /** Its SKU, number or id. */
  readonly name: string;
  readonly text: string;
}
