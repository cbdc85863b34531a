import type { Code } from '../../src/domain/causes/cause.ts';
import type { Scene } from './subject.ts';
import { HAPPENINGS, type Happening, keysOf, type Side, type Thing, type Time } from './words.ts';

/** The answer of the program to something that people do. */
export type Outcome =
  /** The other side gets it, and nobody has to act. */
  | { readonly is: 'carried' }
  /** The entity waits for a person, with these codes. Other entities may tell of it too. */
  | { readonly is: 'held'; readonly codes: readonly Code[] }
  /** The program goes on and tells a person, with these codes. */
  | { readonly is: 'told'; readonly codes: readonly Code[] }
  /** The program goes on, and its journal and the counts of a day tell of it by this action. */
  | { readonly is: 'noted'; readonly action: string }
  /** Nothing is done: because of this setting, or because nothing differs. */
  | { readonly is: 'left'; readonly because: string };

/** People do something. Throws `CannotHappen` where the side itself does not let them. */
export type Act = (scene: Scene) => void;

/** The times at which the outcome is another one. */
export type AtTimes = Readonly<Partial<Record<Time, Outcome | Impossible>>>;
/** A way in which it can happen, with its outcome. The times of a way come before those of its cell. */
export type Way = readonly [Act, Outcome, AtTimes?];

export interface Playable {
  readonly acts: Readonly<Record<string, Way>>;
  /** For every way. */
  readonly at: AtTimes;
}
export interface Impossible {
  readonly impossible: string;
}
export type Cell = Playable | Impossible;
/** A missing cell does not compile. */
export type Row = Readonly<Record<Happening, Readonly<Record<Side, Cell>>>>;
export type Table = Readonly<Record<Thing, Row>>;

export const carried: Outcome = { is: 'carried' };
export const held = (...codes: readonly Code[]): Outcome => ({ is: 'held', codes });
export const told = (...codes: readonly Code[]): Outcome => ({ is: 'told', codes });
export const noted = (action: string): Outcome => ({ is: 'noted', action });
export const left = (because: string): Outcome => ({ is: 'left', because });
/** Both sides stand as before. */
export const unchanged: Outcome = left('both sides stand as before');
export const never = (impossible: string): Impossible => ({ impossible });

/** @param act one act, or several by their names, of which each may have an outcome of its own */
export function cell(act: Act | Readonly<Record<string, Act | Way>>, outcome: Outcome, at: AtTimes = {}): Playable {
  const acts = typeof act === 'function' ? { '': act } : act;
  const each = Object.entries(acts).map(
    ([way, one]) => [way, typeof one === 'function' ? ([one, outcome] as const) : one] as const,
  );
  return { acts: Object.fromEntries(each), at };
}

/** The outcome of a way at a time. */
export function outcomeOf({ at }: Playable, [, usual, own = {}]: Way, time: Time): Outcome | Impossible {
  return own[time] ?? at[time] ?? usual;
}

/** The same outcome at several times. */
export function when(outcome: Outcome | Impossible, ...times: readonly Time[]): AtTimes {
  return Object.fromEntries(times.map((time) => [time, outcome]));
}

/** Before anything of the order is in the ERP. */
export const early = (outcome: Outcome | Impossible): AtTimes =>
  when(outcome, 'before the first start', 'before the link');

/** The row, with these outcomes on one side, where its cells do not have their own. */
export function timed(side: Side, times: AtTimes, row: Row): Row {
  const cells = keysOf(HAPPENINGS).map((happening) => {
    const one = row[happening][side];
    const other = 'impossible' in one ? one : { ...one, at: { ...times, ...one.at } };
    return [happening, { ...row[happening], [side]: other }] as const;
  });
  return Object.fromEntries(cells) as Row;
}

/** The same on both sides. */
export function both<One extends Cell>(one: One): Readonly<Record<Side, One>> {
  return { marketplace: one, erp: one };
}

/** The happenings that a thing without a key of its own cannot have. */
export function keyless(
  why: string,
): Pick<
  Row,
  'renamed' | 'reused' | 'swapped' | 'cut' | 'upper-cased' | 'trimmed' | 'merged' | 'split' | 'imported anew'
> {
  const no = both(never(why));
  return {
    renamed: no,
    reused: no,
    swapped: no,
    cut: no,
    'upper-cased': no,
    trimmed: no,
    merged: no,
    split: no,
    'imported anew': no,
  };
}

/** The happenings of statuses, for a thing that has none. */
export function stateless(
  why: string,
): Pick<Row, 'moved forward' | 'moved back' | 'cancelled' | 'taken up again' | 'archived' | 'restored' | 'amended'> {
  const no = both(never(why));
  return {
    'moved forward': no,
    'moved back': no,
    cancelled: no,
    'taken up again': no,
    archived: no,
    restored: no,
    amended: no,
  };
}

/** The happenings of lists, for a thing that is a part of a listed one. */
export function unlisted(why: string): Pick<Row, 'left out once' | 'left out'> {
  return { 'left out once': both(never(why)), 'left out': both(never(why)) };
}
