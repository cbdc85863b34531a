import { ageText } from '../domain/age.ts';
import { counted } from '../domain/counted.ts';
import { estimateOf, estimateText } from '../domain/estimate.ts';
import type { AccountStatus, DaemonStatus } from './status.ts';

/** The facts behind the sentences about the state of an account. */
export interface Verdict {
  readonly state: 'stopped' | 'paused' | 'in-step' | 'catching-up' | 'unread';
  /** The figures are as of this time: the last read of the list that was read longest ago. Epoch milliseconds; null: never. */
  readonly asOfMs: number | null;
  /** The number of entities that wait, and how long the first of them has waited. */
  readonly waiting: number;
  readonly oldestMs: number | null;
  /** The least time that the quota makes the work take; null: less than a minute, or not known. */
  readonly leastMs: number | null;
  /** The sides whose answers are slow. */
  readonly slow: readonly ('marketplace' | 'erp')[];
  /** The number of kinds of needs, by whose turn it is. */
  readonly needs: { readonly operator: number; readonly erp: number; readonly marketplace: number };
}

export function verdictOf(status: AccountStatus, daemon: DaemonStatus, nowMs: number): Verdict {
  const { reads, flows, paused, needs } = status;
  const ages = reads.flatMap(({ ageMs }) => (ageMs === null ? [] : [ageMs]));
  const isRead = reads.length > 0 && ages.length === reads.length;
  const waiting = flows.reduce((sum, { pending }) => sum + pending, 0);
  const oldest = flows.flatMap(({ oldestPendingMs }) => (oldestPendingMs === null ? [] : [oldestPendingMs]));
  const isRunning = daemon.roles.length > 0;
  const codes = new Set<string>(needs.map(({ example }) => example.code));
  const turns = (turn: string) => needs.filter(({ example }) => example.turn === turn).length;
  const going = waiting === 0 ? 'in-step' : 'catching-up';
  return {
    state: !isRunning ? 'stopped' : !isRead ? 'unread' : paused.length > 0 ? 'paused' : going,
    asOfMs: isRead ? nowMs - Math.max(...ages) : null,
    waiting,
    oldestMs: oldest.length === 0 ? null : Math.max(...oldest),
    leastMs: estimateOf([{ atMs: nowMs, count: waiting }], status.quota?.perMinute.limit ?? null)?.ms ?? null,
    slow: (['marketplace', 'erp'] as const).filter((side) => isRunning && codes.has(`${side}-slow`)),
    needs: { operator: turns('operator'), erp: turns('erp'), marketplace: turns('marketplace') },
  };
}

const SIDES = { erp: 'the ERP', marketplace: 'the marketplace' } as const;

/** How far the account is, as sentences; `{time}` stands where the time of `asOfMs` belongs. */
export function stateSentences({ state, asOfMs, waiting, oldestMs, leastMs, slow }: Verdict): string[] {
  const waits = `${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'}`;
  const since = oldestMs === null ? '' : `, the first for ${ageText(oldestMs)}`;
  const left = waiting === 0 ? '' : ` ${waits}${since}.`;
  const least =
    leastMs === null ? '' : ` ${capital(estimateText({ ms: leastMs, isLeast: true }))} are left, by the quota.`;
  const known = asOfMs === null ? '' : ' The figures are as of {time}.';
  const begins = {
    stopped: `Nothing runs: start it with "stockbridge run".${known}`,
    unread: 'The first reads are not complete yet.',
    paused: `Paused by a person.${left}`,
    'in-step': 'In step as of {time}.',
    'catching-up': `Catching up: ${waits}${since}.${least}`,
  };
  return [begins[state], ...slow.map((side) => `${capital(SIDES[side])} is slow.`)];
}

/** The whole verdict: how far the account is, and who is needed. */
export function verdictSentences(verdict: Verdict): string[] {
  const { needs } = verdict;
  const others = (['erp', 'marketplace'] as const).filter((side) => needs[side] > 0);
  return [
    ...stateSentences(verdict),
    needs.operator === 0
      ? 'Nothing needs you.'
      : `${counted(needs.operator, 'thing')} ${needs.operator === 1 ? 'needs' : 'need'} you.`,
    ...others.map(
      (side) => `${counted(needs[side], 'thing')} ${needs[side] === 1 ? 'waits' : 'wait'} for ${SIDES[side]}.`,
    ),
  ];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
