import { CallFailure } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { withTexts } from '../../http/json.ts';
import type { About, Answer, Caller } from './caller.ts';
import { ignoredFailure } from './failures.ts';
import type { Found } from './find.ts';
import type { Place } from './place.ts';
import { compileRequest, type Request } from './request.ts';
import type { StepSection, WriteSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

/** The names of the steps of writes. */
export const OF_WRITES = ['draft', 'change', 'order', 'row', 'kept', 'id', 'item'] as const;

interface Step extends Pick<StepSection, 'name'> {
  /** Its place below the write. */
  readonly at: string;
  readonly when: Expression | null;
  readonly done: Expression | null;
  readonly each: Expression | null;
  readonly request: Request;
  readonly keep: readonly (readonly [name: string, expression: Expression])[];
}

export interface Write {
  /**
   * Takes the steps, each at most once.
   * @throws CallFailure; its outcome is `unknown` as soon as one step may have been applied
   */
  run(asked: Asked, signal: AbortSignal | undefined): Promise<Done>;
}

export interface Asked {
  readonly given: Given;
  readonly purpose: string;
  /** Reads what is written as it is now; null: it is not there. `id` is that which the steps kept. */
  readonly read: (id: unknown) => Promise<Found<unknown> | null>;
}

export interface Done {
  readonly kept: Given;
  /** The last answer; null when no step was needed. */
  readonly answer: Answer | null;
}

/** Nothing is made in more calls than this. */
const MAX_CALLS = 2_000;

/** @throws ExpressionError for an expression that cannot be read */
export function compileWrite(section: WriteSection, at: string, caller: Caller): Write {
  const steps = compileSteps(section, (path) => caller.place(`${at}.steps.${path}`));
  const items = section.items === undefined ? null : section.items.split('.');
  // The record is read before the steps only where one of them looks at it.
  const looks = section.steps.map((step) => step.done !== undefined || /\$(?:order|row)\b/.test(JSON.stringify(step)));

  return {
    async run({ given, purpose, read }, signal) {
      const about: About = { purpose, write: true };
      let kept: Record<string, unknown> = {};
      let state: Given = {};
      let known = false;
      let answer: Answer | null = null;
      let calls = 0;
      const now = (): Given => ({ ...given, ...state, kept });
      const look = async (): Promise<void> => {
        const found = await read(kept['id']);
        state = found === null ? {} : { order: withTexts(found.mapped), row: withTexts(found.raw) };
        known = found !== null;
      };
      const holds = async (expression: Expression, where: string, own: Given = {}): Promise<boolean> =>
        (await caller.tell(
          expression,
          {},
          { ...now(), ...own },
          { purpose, write: false, where: `${at}.${where}` },
        )) === true;

      const take = async (step: Step, looksAtIt: boolean): Promise<void> => {
        if (looksAtIt && (kept['id'] !== undefined || given['id'] !== undefined)) await look();
        if (step.when !== null && !(await holds(step.when, `${step.at}.when`))) return;
        if (step.done !== null && known && (await holds(step.done, `${step.at}.done`))) return;
        for (const item of await itemsOf(step)) {
          calls += 1;
          if (calls > MAX_CALLS)
            throw caller.misfit(about, { path: `${at}.${step.at}`, message: `more than ${MAX_CALLS} calls` });
          const own = item === undefined ? now() : { ...now(), item };
          answer = await caller.ask({ request: step.request, given: own, items, ...about }, signal);
          const found = withTexts(answer.found);
          const values = await keptOf(step, (text, where) =>
            caller.tell(text, found, own, { ...about, where: `${at}.${where}` }),
          );
          kept = { ...kept, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
        }
        if (step.done === null) return;
        await look();
        if (known && (await holds(step.done, `${step.at}.done`))) return;
        throw ignoredFailure(caller.called(about), `its step ${step.name} has had no effect`, calls > 1);
      };
      const itemsOf = async (step: Step): Promise<readonly unknown[]> => {
        if (step.each === null) return [undefined];
        const found = await caller.tell(step.each, {}, now(), {
          purpose,
          write: false,
          where: `${at}.${step.at}.each`,
        });
        return Array.isArray(found) ? (found as unknown[]) : found === undefined || found === null ? [] : [found];
      };

      for (const [index, step] of steps.entries()) {
        const before = calls;
        try {
          await take(step, looks[index] === true);
        } catch (error) {
          throw before > 0 ? halfDone(error, step.name) : error;
        }
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
      keep: Object.entries(step.keep ?? {}).map(([name, text]) => [name, compileExpression(text, names)] as const),
    }),
  );
}

/** What a step keeps of its answer. */
async function keptOf(
  step: Step,
  tell: (expression: Expression, where: string) => Promise<unknown>,
): Promise<[string, unknown][]> {
  const told = step.keep.map(async ([name, expression]): Promise<[string, unknown]> => {
    return [name, await tell(expression, `${step.at}.keep.${name}`)];
  });
  return Promise.all(told);
}

/** What failed after a step that was taken: nobody may begin from the start. */
export function halfDone(error: unknown, step: string): unknown {
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
