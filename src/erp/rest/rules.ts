import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import type { Answered } from '../../http/exchange.ts';
import { parseJson, withTexts } from '../../http/json.ts';
import type { ErrorRule } from './schema.ts';
import { ALWAYS } from './texts.ts';

/** What a rule is asked about: an answer, with its body where that is JSON. */
export interface Judged {
  readonly answer: Answered;
  /** Without rows; undefined where it is no JSON. */
  readonly body: unknown;
}

export interface Verdict {
  readonly rule: ErrorRule;
  readonly said: string | null;
}

/** The first rule that fits, or null. */
export type Judge = (judged: Judged, given: Given) => Promise<Verdict | null>;

const NAMES = [...ALWAYS, 'status', 'headers'];

/** @throws ExpressionError for an expression that cannot be read */
export function compileRules(rules: readonly ErrorRule[]): Judge {
  const compiled = rules.map((rule) => ({
    rule,
    body: rule.when.body === undefined ? null : compileExpression(rule.when.body, NAMES),
    message: rule.message === undefined ? null : compileExpression(rule.message, NAMES),
  }));
  return async (judged, given) => {
    const known = { ...given, status: judged.answer.status, headers: judged.answer.headers };
    for (const { rule, body, message } of compiled) {
      if (!fitsHead(rule.when, judged)) continue;
      if (body !== null && (judged.body === undefined || (await told(body, judged.body, known)) !== true)) continue;
      const said = message === null || judged.body === undefined ? null : await told(message, judged.body, known);
      return {
        rule,
        said: said === null || said === undefined ? null : typeof said === 'string' ? said : JSON.stringify(said),
      };
    }
    return null;
  };
}

/** A rule whose expression fails over an answer does not fit it. */
async function told(expression: Expression, body: unknown, given: Given): Promise<unknown> {
  try {
    return await expression.evaluate(body, given);
  } catch {
    return null;
  }
}

function fitsHead({ status, html }: ErrorRule['when'], { answer }: Judged): boolean {
  const wanted = status === undefined ? [] : Array.isArray(status) ? status : [status];
  const isStatus =
    wanted.length === 0 ||
    wanted.some((one) => String(one).replace('xx', String(answer.status).slice(1)) === String(answer.status));
  return isStatus && (html === undefined || html === isPage(answer));
}

/** A page for people in place of JSON. */
export function isPage({ headers, body }: Answered): boolean {
  return (
    /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString())
  );
}

/** The JSON of an error's answer, with its numbers as texts; undefined where it is none. */
export function bodyOf({ body }: Answered): unknown {
  try {
    return withTexts(parseJson(body.toString()));
  } catch {
    return undefined;
  }
}
