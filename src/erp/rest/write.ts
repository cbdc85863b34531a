import { CallFailure } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { withTexts } from '../../http/json.ts';
import type { Called } from '../failure.ts';
import type { Answer, Call, Caller } from './caller.ts';
import { ignoredFailure, impossibleFailure } from './failures.ts';
import type { Found } from './find.ts';
import type { Place } from './place.ts';
import { compileRequest, type Request } from './request.ts';
import { OF_WRITES, type StepSection, type WriteSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

interface Step extends Pick<StepSection, 'name'> {
  readonly at: string;
  readonly when: Expression | null;
  readonly done: Expression | null;
  readonly each: Expression | null;
  readonly request: Request;
  readonly reads: boolean;
  readonly none: Expression | null;
  readonly must: Expression | null;
  readonly keep: readonly (readonly [name: string, expression: Expression])[];
}

export interface Write {
  /**
   * Runs each step at most once.
   * @throws CallFailure with the outcome `unknown` once a step may have been applied
   */
  run(asked: WriteRequest, signal: AbortSignal | undefined): Promise<Done>;
}

export interface WriteRequest {
  readonly given: Given;
  readonly purpose: string;
  /** Reads the current record; null: none. `id`: as kept by the steps. */
  readonly read: (id: unknown) => Promise<Found<unknown> | null>;
}

export interface Done {
  readonly kept: Given;
  /** The last answer; null: no step was needed. */
  readonly answer: Answer | null;
}

/** Matches a step that uses the current record. */
const LOOKS = /\$(?:order|row)\b/;
const MAX_CALLS = 2_000;

/** @throws ExpressionError for an invalid expression */
export function compileWrite(section: WriteSection, at: string, caller: Caller): Write {
  const steps = compileSteps(section, (path) => caller.place(`${at}.steps.${path}`));
  const items = section.items?.split('.');
  // The record is read only for a step that uses it.
  const looks = section.steps.map((step) => step.done !== undefined || LOOKS.test(JSON.stringify(step)));

  return {
    async run({ given, purpose, read }, signal) {
      const [writing, reading] = [caller.writing(purpose, signal), caller.reading(purpose, signal)];
      let kept: Record<string, unknown> = {};
      let state: Given = {};
      let known = false;
      let answer: Answer | null = null;
      let calls = 0;
      let written = 0;
      const sent_at = new Date(caller.now()).toISOString();
      const now = (): Given => ({ ...given, ...state, kept, sent_at });
      const look = async (): Promise<void> => {
        const found = await read(kept['id']);
        state = found === null ? {} : { order: withTexts(found.mapped), row: withTexts(found.raw) };
        known = found !== null;
      };
      const holds = async (expression: Expression, where: string): Promise<boolean> =>
        (await reading.tell(expression, {}, now(), `${at}.${where}`)) === true;

      /** False: the step was skipped. */
      const take = async (step: Step, looksAtIt: boolean): Promise<boolean> => {
        const isWanted = async (): Promise<boolean> => step.when === null || holds(step.when, `${step.at}.when`);
        const looksFirst = step.when !== null && LOOKS.test(step.when.text);
        if (!looksFirst && !(await isWanted())) return false;
        if (looksAtIt && (kept['id'] !== undefined || given['id'] !== undefined)) await look();
        if (looksFirst && !(await isWanted())) return false;
        if (step.done !== null && known && (await holds(step.done, `${step.at}.done`))) return false;
        for (const item of await itemsOf(reading, { step, at }, now())) {
          calls += 1;
          if (calls > MAX_CALLS) throw writing.invalidAnswer(`${at}.${step.at}`, `more than ${MAX_CALLS} calls`);
          const own = item === undefined ? now() : { ...now(), item };
          const call = step.reads ? reading : writing;
          const told = await call.ask({ request: step.request, given: own, items, none: step.none });
          if (!step.reads) {
            answer = told;
            written += 1;
          }
          const values = await keptOf(call, { step, at, called: writing.called }, told, own);
          kept = { ...kept, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
        }
        return true;
      };
      const hasEffect = async ({ done, at: place }: Step): Promise<boolean> => {
        if (done === null) return true;
        await look();
        return known && (await holds(done, `${place}.done`));
      };
      for (const [index, step] of steps.entries()) {
        let ignored = false;
        try {
          ignored = (await take(step, looks[index] === true)) && !(await hasEffect(step));
        } catch (error) {
          throw written > 0 ? withUnknownOutcome(error, step.name) : error;
        }
        if (ignored) throw ignoredFailure(writing.called, `its step ${step.name} has had no effect`, written > 1);
      }
      return { kept, answer };
    },
  };
}

function compileSteps(section: WriteSection, place: Place): Step[] {
  const names = [...ALWAYS, ...OF_WRITES];
  const optional = (text: string | undefined): Expression | null =>
    text === undefined ? null : compileExpression(text, names);
  return section.steps.map(
    (step, index): Step => ({
      at: `steps.${index}`,
      name: step.name,
      when: optional(step.when),
      done: optional(step.done),
      each: optional(step.each),
      request: compileRequest(step.request, OF_WRITES, place(`${index}.request`)),
      reads: step.reads === true || step.request.method === 'GET',
      none: step.empty === undefined ? null : compileExpression(step.empty, [...names, 'status']),
      must: step.must === undefined ? null : compileExpression(step.must, [...names, 'headers']),
      keep: Object.entries(step.keep ?? {}).map(
        ([name, text]) => [name, compileExpression(text, [...names, 'headers'])] as const,
      ),
    }),
  );
}

interface Taking {
  readonly step: Step;
  readonly at: string;
}

/** A step without a list runs once, for undefined. */
async function itemsOf(call: Call, { step, at }: Taking, given: Given): Promise<readonly unknown[]> {
  if (step.each === null) return [undefined];
  const found = await call.tell(step.each, {}, given, `${at}.${step.at}.each`);
  return Array.isArray(found) ? (found as unknown[]) : found === undefined || found === null ? [] : [found];
}

/** What a step keeps of its answer. @throws CallFailure `refused` when `must` does not hold */
async function keptOf(
  call: Call,
  { step, at, called }: Taking & { readonly called: Called },
  { found, headers }: Answer,
  given: Given,
): Promise<[string, unknown][]> {
  const input = withTexts(found);
  const tell = (expression: Expression, where: string) =>
    call.tell(expression, input, { ...given, headers }, `${at}.${step.at}.${where}`);
  const verdict = step.must === null ? true : await tell(step.must, 'must');
  if (verdict !== true) throw impossibleFailure(called, step.name, verdict);
  return Promise.all(
    step.keep.map(
      async ([name, expression]): Promise<[string, unknown]> => [name, await tell(expression, `keep.${name}`)],
    ),
  );
}

/** Gives a failure after a completed step an unknown outcome, so that the write does not start again. */
export function withUnknownOutcome(error: unknown, step: string): unknown {
  if (!(error instanceof CallFailure)) return error;
  const { side, kind, status, retryAfterMs, path } = error;
  const text =
    error.outcome === 'unknown' && !error.ofRead
      ? ''
      : ` Steps before it (${step}) were taken: it is looked up before anything is repeated.`;
  return new CallFailure(error.message + text, {
    side,
    kind,
    outcome: 'unknown',
    status,
    retryAfterMs,
    path,
    cause: error,
  });
}
