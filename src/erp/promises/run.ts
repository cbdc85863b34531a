import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../../domain/failure.ts';
import { withoutRetryPromise } from '../failure.ts';
import type { WireExchange } from '../wire.ts';
import type { Bench } from './bench.ts';
import { BrokenPromise, NotTestable } from './broken.ts';
import { CHARGE_CHECKS } from './charges.ts';
import type { Check, Finding } from './check.ts';
import { CUT_CHECKS } from './cuts.ts';
import { LASTING_CHECKS } from './lasting.ts';
import { LIST_CHECKS } from './lists.ts';
import { cleanUp } from './made.ts';
import { PEOPLE_CHECKS } from './people.ts';
import { ORDER_CHECKS, PING, READING_CHECKS } from './reading.ts';
import { RESERVING_CHECKS } from './reserving.ts';
import { STAMP_CHECKS } from './stamps.ts';
import { TOTALS } from './totals.ts';
import { CREATE, WRITING_CHECKS } from './writing.ts';

/** All promises that the program relies on, in order of proof. */
export const CHECKS: readonly Check[] = [
  PING,
  ...LIST_CHECKS,
  ...READING_CHECKS,
  CREATE,
  ...WRITING_CHECKS,
  TOTALS,
  ...CHARGE_CHECKS,
  ...ORDER_CHECKS,
  ...RESERVING_CHECKS,
  ...STAMP_CHECKS,
  ...CUT_CHECKS,
  ...PEOPLE_CHECKS,
  ...LASTING_CHECKS,
];

/** The most that checks may do: `reads` changes nothing, `lasting` allows all. */
export type Effect = Check['effect'];

const NOT_ALLOWED: Readonly<Record<Effect, string>> = {
  reads: '',
  writes: 'it needs --write, which makes orders',
  lasting: 'it needs --write --lasting, which makes customers, products and payments',
};

/** Runs the checks in turn. Once the ERP stops answering, the rest are not tested. */
export async function* runChecks(bench: Bench, most: Effect, checks = CHECKS): AsyncGenerator<Finding> {
  const effects: readonly Effect[] = ['reads', 'writes', 'lasting'];
  const allowed = effects.slice(0, effects.indexOf(most) + 1);
  const isStopped = () => bench.signal.aborted;
  let isDown = false;
  let makesNone = false;
  for (const check of checks) {
    const { name, promise, effect } = check;
    if (isStopped()) return;
    if (check.about?.(bench) === false) continue;
    const because = isDown
      ? 'the ERP does not answer'
      : makesNone && effect !== 'reads'
        ? 'no order could be made: see create'
        : (unused(bench, check) ?? check.untested?.(bench) ?? (allowed.includes(effect) ? null : NOT_ALLOWED[effect]));
    if (because !== null) {
      yield { name, promise, result: 'not-tested', because, isDown };
      continue;
    }
    const finding = await ofCheck(bench, check);
    if (isStopped()) return;
    yield finding;
    if (finding.result !== 'broken') continue;
    makesNone ||= check === CREATE && finding.kind !== null && bench.made.orders.size === 0;
    // Remaining orders would distort the next check's figures.
    await cleanUp(bench.erp, bench.made, bench.signal);
    const isOff = finding.kind === 'unavailable' || finding.kind === 'credentials';
    isDown = isOff && (check === PING || !(await answers(bench)));
  }
}

function unused({ uses }: Bench, { part }: Check): string | null {
  if (part === undefined || uses[part]) return null;
  return part === 'drafts' ? 'the strategy of this account makes no drafts' : `nothing of this account uses ${part}`;
}

/** The most starts of a check: an ERP under a rate limit asks for a later try, which breaks no promise. */
const BEGINNINGS = 4;

async function ofCheck(bench: Bench, check: Check): Promise<Finding> {
  const { name, promise, run } = check;
  const { signal, patience } = bench;
  for (let begun = 1; ; begun += 1) {
    bench.recorder.forget();
    try {
      return { name, promise, result: 'kept', measured: (await run(bench)) ?? null };
    } catch (error) {
      const isTooOften = error instanceof CallFailure && error.kind === 'rate-limited';
      if (!isTooOften || begun === BEGINNINGS || signal.aborted)
        return findingOf(check, error, lastExchange(bench.recorder.last()));
      await sleep(error.retryAfterMs ?? patience.forMs, undefined, { signal }).catch(() => {});
      await cleanUp(bench.erp, bench.made, signal);
    }
  }
}

const SHOWN = 400;

type LastExchange = Extract<Finding, { result: 'broken' }>['heard'];

/** Without headers, which hold secrets. */
function lastExchange(exchange: WireExchange | null): LastExchange {
  if (exchange === null) return null;
  const short = (text: string) => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  };
  const withoutHeaders = (text: string) => {
    const [head = '', ...body] = text.split(/\r?\n\r?\n/);
    return short(/^[A-Z]+ |^HTTP|^\d{3}/.test(head) ? [head.split('\n')[0], ...body].join(' ') : text);
  };
  const { request, answer } = exchange;
  return { sent: withoutHeaders(request), answer: answer === null ? 'no answer' : withoutHeaders(answer) };
}

function findingOf({ name, promise }: Check, error: unknown, heard: LastExchange): Finding {
  if (error instanceof NotTestable)
    return { name, promise, result: 'not-tested', because: error.message, isDown: false };
  if (error instanceof BrokenPromise) {
    const { expected, came, mend } = error;
    return { name, promise, result: 'broken', expected, came, mend, kind: null, heard };
  }
  if (!(error instanceof CallFailure)) throw error;
  const { kind } = error;
  const message = withoutRetryPromise(error.message);
  return {
    name,
    promise,
    result: 'broken',
    expected: 'the calls to be answered',
    came: message,
    mend: null,
    kind,
    heard,
  };
}

async function answers({ erp }: Bench): Promise<boolean> {
  try {
    await erp.ping();
    return true;
  } catch {
    return false;
  }
}
