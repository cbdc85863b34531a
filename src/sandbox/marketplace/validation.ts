import type { z } from 'zod';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { parseJson } from '../../marketplace/operations/wire.ts';
import type { Call } from './call.ts';
import { invalid, Refusal, refuse } from './refusal.ts';
import type { Settings } from './settings.ts';
import type { Fields } from './wire-values.ts';

const PAGE_SIZE = { default: 50, max: 500 };

/** Checks a call against its operation's schemas. @throws Refusal 400, 404, 415 */
export function validateCall(
  operation: Operation,
  sent: { params: Readonly<Record<string, string>>; query: URLSearchParams; body: string; contentType: string },
  settings: Settings,
): Call {
  const params = typed(operation.pathParams, Object.entries(sent.params));
  if (!operation.pathParams.safeParse(params).success) throw refuse(404, 'Not found.');
  const window = readWindow(operation, sent.query);
  return { params, query: readQuery(operation, sent.query, settings), window, body: readBody(operation, sent) };
}

/** Spec 1, Pagination: anything that is not a valid page or page size is a 404. */
function readWindow(operation: Operation, query: URLSearchParams): Call['window'] {
  const ordering = query.get('ordering');
  if (operation.paging === 'offset') {
    const limit = positive(query.get('limit') ?? String(PAGE_SIZE.default), PAGE_SIZE.max);
    return { limit, offset: positive(query.get('offset') ?? '0', Number.MAX_SAFE_INTEGER, 0), ordering };
  }
  const limit = positive(query.get('page_size') ?? String(PAGE_SIZE.default), PAGE_SIZE.max);
  const page = positive(query.get('page') ?? '1', 1_000_000_000);
  return { limit, offset: (page - 1) * limit, ordering };
}

function positive(text: string, max: number, min = 1): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max) throw refuse(404, 'Invalid page.');
  return value;
}

const WINDOW_NAMES = new Set(['page', 'page_size', 'limit', 'offset', 'ordering']);

function readQuery(operation: Operation, query: URLSearchParams, settings: Settings): Call['query'] {
  const known = operation.query.shape as Record<string, z.ZodType>;
  const filters: [string, string][] = [];
  for (const [name, value] of query) {
    if (WINDOW_NAMES.has(name) && name in known) continue;
    if (name in known) filters.push([name, value]);
    else if (settings.unknownFilter === 'refuse') throw invalid(name, 'Unknown query parameter.');
  }
  const values = typed(operation.query, filters);
  const problem = operation.query.safeParse(values).error;
  if (problem) throw fieldErrors(problem);
  return values;
}

function readBody(operation: Operation, sent: { body: string; contentType: string }): Fields {
  if (operation.body === null) {
    if (sent.body !== '') throw refuse(400, 'This call is sent without a payload.');
    return {};
  }
  if (!/^application\/json\b/i.test(sent.contentType)) throw refuse(415, 'Content-Type must be application/json.');
  let body: unknown;
  try {
    body = parseJson(sent.body);
  } catch {
    throw refuse(400, 'JSON parse error.');
  }
  const problem = operation.body.safeParse(body).error;
  if (problem) throw fieldErrors(problem);
  return body as Fields;
}

/** Parameters arrive as text: the first of text, number and truth value that the schema takes. */
function typed(schema: z.ZodObject, entries: readonly (readonly [string, string])[]): Record<string, unknown> {
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    entries.map(([name, text]) => {
      const readings = [text, ...(/^-?\d{1,15}$/.test(text) ? [Number(text)] : []), ...truth(text)];
      return [name, readings.find((reading) => shape[name]?.safeParse(reading).success) ?? text];
    }),
  );
}

function truth(text: string): boolean[] {
  if (text === 'true' || text === 'True') return [true];
  return text === 'false' || text === 'False' ? [false] : [];
}

function fieldErrors(problem: z.ZodError): Refusal {
  const fields: Record<string, string[]> = {};
  for (const issue of problem.issues) {
    const [field = 'non_field_errors', ...rest] = issue.path.map(String);
    const where = rest.length > 0 ? `${rest.join('.')}: ` : '';
    (fields[field] ??= []).push(`${where}${issue.message}`);
  }
  return new Refusal(400, fields);
}
