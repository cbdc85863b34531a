import { ageText } from '../domain/age.ts';
import { counted } from '../domain/counted.ts';
import { estimateOf, estimateText } from '../domain/estimate.ts';
import { type Needed, neededOf, neededTexts } from '../domain/needed.ts';
import { type Away, sideText } from './away.ts';

/**
 * What keeps an account out of step, worst first, in words for one and many. `status`, `sync`, `jobs list`, the screen
 * and the metric `stockbridge_not_in_step` use it. A new kind needs a row here and a count in `countsOf`.
 */
const WORDS = {
  failed: ['failed', 'failed'],
  'in-doubt': ['in doubt', 'in doubt'],
  unread: ['list unread', 'lists unread'],
  invalid: ['invalid row', 'invalid rows'],
  braked: ['write waits for approval', 'writes wait for approval'],
  held: ['held', 'held'],
  differs: ['order differs', 'orders differ'],
  late: ['list late', 'lists late'],
  comparing: ['comparison with changed settings', 'comparisons with changed settings'],
  pending: ['waiting', 'waiting'],
} as const;

export type Trouble = keyof typeof WORDS;
export const TROUBLES = Object.keys(WORDS) as Trouble[];
export type Counts = Readonly<Record<Trouble, number>>;

export interface Facts {
  readonly reads: readonly { readonly collection: string; readonly ageMs: number | null; readonly late: boolean }[];
  readonly flows: readonly (Readonly<Record<'pending' | 'held' | 'failed', number>> & {
    readonly oldestPendingMs: number | null;
  })[];
  readonly paused: readonly unknown[];
  readonly braked: number;
  readonly inDoubt: number;
  readonly invalid: number;
  /** Orders that continue although their two sides differ. */
  readonly differing: number;
  /** Orders waiting on backorder, as intended. */
  readonly backorders: number;
  /** Not every entity was compared since the settings changed. */
  readonly comparing: boolean;
  readonly away: Away | null;
}

/** Facts only for sentences. */
interface More {
  readonly needs: readonly { readonly example: { readonly turn: string; readonly code: string } }[];
  readonly quota: { readonly perMinute: { readonly limit: number } } | null;
}

export interface Verdict {
  /** The worst state that applies. `in-step`: nothing is left, and all was read in time. */
  readonly state: 'stopped' | 'away' | 'paused' | 'not-in-step' | 'catching-up' | 'in-step';
  readonly counts: Counts;
  readonly away: Away | null;
  readonly backorders: number;
  /** The oldest read, in epoch milliseconds; null: a list was never read. */
  readonly oldest: { readonly list: string; readonly readAtMs: number } | null;
  /** The longest wait of an entity. */
  readonly oldestMs: number | null;
  /** The least time for the work within the quota; null: under a minute, or unknown. */
  readonly leastMs: number | null;
  /** The sides that answer slowly. */
  readonly slow: readonly ('marketplace' | 'erp')[];
  /** Kinds of needs, by whose turn it is. */
  readonly needs: Needed;
}

/** @param isRunning without a daemon, no list is late */
export function countsOf(
  { reads, flows, braked, invalid, inDoubt, differing, comparing }: Facts,
  isRunning: boolean,
): Counts {
  const sum = (of: 'pending' | 'held' | 'failed') => flows.reduce((total, flow) => total + flow[of], 0);
  return {
    failed: sum('failed'),
    'in-doubt': inDoubt,
    unread: reads.length === 0 ? 1 : reads.filter(({ ageMs }) => ageMs === null).length,
    invalid,
    braked,
    held: sum('held'),
    differs: differing,
    late: isRunning ? reads.filter(({ ageMs, late }) => ageMs !== null && late).length : 0,
    comparing: comparing ? 1 : 0,
    pending: sum('pending'),
  };
}

export function verdictOf(status: Facts & More, isRunning: boolean, nowMs: number): Verdict {
  const { flows, needs, away } = status;
  const counts = countsOf(status, isRunning);
  const oldest = flows.flatMap(({ oldestPendingMs }) => (oldestPendingMs === null ? [] : [oldestPendingMs]));
  const codes = new Set(needs.map(({ example }) => example.code));
  return {
    state: stateOf(status, counts, isRunning),
    counts,
    away,
    backorders: status.backorders,
    oldest: oldestOf(status, nowMs),
    oldestMs: oldest.length === 0 ? null : Math.max(...oldest),
    leastMs: estimateOf([{ atMs: nowMs, count: counts.pending }], status.quota?.perMinute.limit ?? null)?.ms ?? null,
    slow: (['marketplace', 'erp'] as const).filter((side) => isRunning && codes.has(`${side}-slow`)),
    needs: neededOf(needs.map(({ example }) => example.turn)),
  };
}

function stateOf({ away, paused }: Facts, counts: Counts, isRunning: boolean): Verdict['state'] {
  const left = TROUBLES.filter((trouble) => counts[trouble] > 0);
  if (!isRunning) return 'stopped';
  if (away !== null) return 'away';
  if (paused.length > 0) return 'paused';
  if (left.length === 0) return 'in-step';
  return left.every((trouble) => trouble === 'pending') ? 'catching-up' : 'not-in-step';
}

function oldestOf({ reads }: Facts, nowMs: number): Verdict['oldest'] {
  const read = reads.flatMap(({ collection: list, ageMs }) =>
    ageMs === null ? [] : [{ list, readAtMs: nowMs - ageMs }],
  );
  if (read.length < reads.length) return null;
  return read.toSorted((one, other) => one.readAtMs - other.readAtMs)[0] ?? null;
}

/** `1 failed, 3 held, 2 waiting`; empty: in step. */
export function countsText(counts: Counts): string {
  const told = TROUBLES.filter((trouble) => counts[trouble] > 0);
  return told.map((trouble) => `${counts[trouble]} ${WORDS[trouble][counts[trouble] === 1 ? 0 : 1]}`).join(', ');
}

/** `In step`, or `Not in step: 1 failed, 3 held`: the headline right after reading both sides. */
export function headline(counts: Counts): string {
  const left = countsText(counts);
  return left === '' ? 'In step' : `Not in step: ${left}`;
}

/** The state as sentences, with `{time}` for the oldest read. */
export function stateSentences(verdict: Verdict): string[] {
  const { state, counts, away, backorders, oldest, oldestMs, leastMs, slow } = verdict;
  const left = countsText(counts);
  const since = counts.pending === 0 || oldestMs === null ? '' : `, the first for ${ageText(oldestMs)}`;
  const rest = left === '' ? '' : ` ${capital(left)}${since}.`;
  const least =
    leastMs === null ? '' : ` ${capital(estimateText({ ms: leastMs, isLeast: true }))} are left, by the quota.`;
  const known = oldest === null ? '' : ` The figures are as of {time}, when ${oldest.list} was read.`;
  const begins = {
    stopped: 'No daemon is running: orders and stock are not synchronized.',
    away: `Not in step: ${away === null ? 'a side is away' : sideText(away)}.${rest}`,
    paused: `Paused by a person.${rest}`,
    'not-in-step': `${headline(counts)}${since}.${least}`,
    'catching-up': `Catching up: ${counted(counts.pending, 'change')} ${counts.pending === 1 ? 'waits' : 'wait'}${since}.${least}`,
    'in-step': oldest === null ? 'In step.' : `In step as of {time}, when ${oldest.list}, the oldest list, was read.`,
  };
  const waiting =
    backorders === 0 ? [] : [`${counted(backorders, 'order')} ${backorders === 1 ? 'waits' : 'wait'} on backorder.`];
  const more = state === 'stopped' ? [rest.trim(), known.trim()].filter((text) => text !== '') : [];
  return [begins[state], ...more, ...waiting, ...slow.map((side) => `${capital(SIDES[side])} is slow.`)];
}

const SIDES = { erp: 'the ERP', marketplace: 'the marketplace' } as const;

/** The state, and who is needed. */
export function verdictSentences(verdict: Verdict): string[] {
  const { needs, counts, away } = verdict;
  const needed = neededTexts(needs, counts.unread === 0 && away === null);
  return [...stateSentences(verdict), ...needed.map((text) => `${text}.`)];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
