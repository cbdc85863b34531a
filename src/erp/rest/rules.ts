import type { WaitsFor } from '../../domain/failure.ts';
import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import type { Answered } from '../../http/exchange.ts';
import { withTexts } from '../../http/json.ts';
import { parseEntity } from '../../http/rows.ts';
import type { ErrorRule } from './schema.ts';
import { ALWAYS } from './texts.ts';

export interface Judged {
  readonly answer: Answered;
  /** The body's JSON without rows; undefined: no JSON. */
  readonly body: unknown;
}

export interface Verdict {
  readonly rule: ErrorRule;
  readonly said: string | null;
  /** Only for `refused-for-now`. */
  readonly waitsFor: WaitsFor | null;
}

/** The first rule that fits; null: none. */
export type Judge = (judged: Judged, given: Given) => Promise<Verdict | null>;

const MAX_SKUS = 100;
const NAMES = [...ALWAYS, 'status', 'headers'];

/** @throws ExpressionError for an invalid expression */
export function compileRules(rules: readonly ErrorRule[]): Judge {
  const compiled = rules.map((rule) => ({
    rule,
    body: rule.when.body === undefined ? null : compileExpression(rule.when.body, NAMES),
    message: rule.message === undefined ? null : compileExpression(rule.message, NAMES),
    skus: rule.skus === undefined ? null : compileExpression(rule.skus, NAMES),
  }));
  return async (judged, given) => {
    const known = { ...given, status: judged.answer.status, headers: judged.answer.headers };
    for (const { rule, body, message, skus } of compiled) {
      if (!fitsHead(rule.when, judged)) continue;
      if (body !== null && (judged.body === undefined || (await told(body, judged.body, known)) !== true)) continue;
      const said = message === null || judged.body === undefined ? null : await told(message, judged.body, known);
      return {
        rule,
        said: said === null || said === undefined ? null : typeof said === 'string' ? said : JSON.stringify(said),
        waitsFor:
          rule.kind !== 'refused-for-now'
            ? null
            : {
                what: rule.waits_for ?? 'time',
                skus: skus === null || judged.body === undefined ? null : skusOf(await told(skus, judged.body, known)),
              },
      };
    }
    return null;
  };
}

/** null: the expression fails, so the rule does not fit. */
async function told(expression: Expression, body: unknown, given: Given): Promise<unknown> {
  try {
    return await expression.evaluate(body, given);
  } catch {
    return null;
  }
}

/** null: the answer names no SKU. */
function skusOf(named: unknown): readonly string[] | null {
  const skus = (Array.isArray(named) ? named : [named]).filter((one) => typeof one === 'string' && one !== '');
  return skus.length === 0 ? null : skus.slice(0, MAX_SKUS);
}

function fitsHead({ status, html }: ErrorRule['when'], { answer }: Judged): boolean {
  const wanted = status === undefined ? [] : Array.isArray(status) ? status : [status];
  const isStatus =
    wanted.length === 0 ||
    wanted.some((one) => String(one).replace('xx', String(answer.status).slice(1)) === String(answer.status));
  return isStatus && (html === undefined || html === isPage(answer));
}

/** Whether the answer is a web page instead of JSON. */
export function isPage({ headers, body }: Answered): boolean {
  return (
    /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString())
  );
}

/** The JSON object of an answer, numbers as text; undefined: no JSON, or too large. */
export async function bodyOf({ body }: Answered): Promise<unknown> {
  try {
    return withTexts(await parseEntity(Buffer.from(body.toString())));
  } catch {
    return undefined;
  }
}
