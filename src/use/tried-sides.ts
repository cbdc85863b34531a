import type { SecretSetting } from '../config/secrets.ts';
import { EFFECTS, effectOf, originText } from '../credentials/held.ts';
import { counted } from '../domain/counted.ts';
import { type Finding, failed, warn } from './doctor/finding.ts';
import { Refused } from './faults.ts';
import type { Opened } from './open.ts';

/** Results of testing both sides. */
export interface Tried {
  readonly by: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly findings: readonly Finding[];
}

/** Both sides of each account, tested by the running program. */
export interface TriedSides {
  /**
   * Reads the secrets again and tests both sides, without writes.
   * @throws Refused right after another test
   */
  again(opened: Pick<Opened, 'store' | 'by'>, account: string, signal: AbortSignal): Promise<Tried>;
  /** null: not tested since the program started. */
  last(account: string): Tried | null;
}

/** Each test makes about fifteen calls. */
const EVERY_MS = 10_000;

interface Parts {
  /** Reads all accounts' secrets again. */
  readonly reread: () => unknown;
  readonly check: (account: string, signal: AbortSignal) => AsyncIterable<Finding>;
  /** The account's active secrets. */
  readonly secrets: (account: string) => readonly SecretSetting[];
  readonly now: () => number;
}

export function createTriedSides({ reread, check, secrets, now }: Parts): TriedSides {
  const began = new Map<string, number>();
  const known = new Map<string, Tried>();
  return {
    async again({ store, by }, account, signal) {
      const atMs = now();
      const agoMs = Math.abs(atMs - (began.get(account) ?? Number.NEGATIVE_INFINITY));
      if (agoMs < EVERY_MS) {
        const leftS = Math.ceil((EVERY_MS - agoMs) / 1_000);
        throw new Refused(`both sides were tried a moment ago: try again in ${leftS} s`);
      }
      began.set(account, atMs);
      const findings: Finding[] = [];
      try {
        reread();
        for await (const finding of check(account, signal)) findings.push(finding);
      } catch (error) {
        findings.push({ ...failed('both sides', error), account });
      }
      findings.push(...untilRestart(findings, secrets(account)));
      const tried = { by, atMs, findings };
      known.set(account, tried);
      const about = { account, flow: '', key: '', before: null, outcome: 'done', resultOf: null };
      await store.audit.add({ ...about, action: 'sides.try', target: 'both sides', after: triedText(tried), who: by });
      return tried;
    },
    last: (account) => known.get(account) ?? null,
  };
}

/** `14 checks, 2 failed` */
export function triedText({ findings }: Pick<Tried, 'findings'>): string {
  const count = findings.filter(({ level }) => level === 'fail').length;
  return `${counted(findings.length, 'check')}, ${count === 0 ? 'none' : count} failed`;
}

/** Rejected secrets that this program cannot read again. */
function untilRestart(findings: readonly Finding[], secrets: readonly SecretSetting[]): Finding[] {
  const refused = findings.filter(({ level, fault }) => level === 'fail' && fault === 'credentials');
  const sides = new Set(refused.map(({ about }) => (about.startsWith('ERP') ? 'erp.' : 'marketplace.')));
  const kept = secrets.filter(
    (one) => effectOf(one) === 'restart' && [...sides].some((side) => one.path.startsWith(side)),
  );
  return kept.map((one) => warn('secrets', originText(one), EFFECTS.restart));
}
