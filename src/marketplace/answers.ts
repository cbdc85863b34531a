import type { Answered } from '../http/exchange.ts';
import { firstIssue } from '../http/issues.ts';
import { servedAt } from '../http/retry-after.ts';
import { parseEntity, parseRows, TooManyRows } from '../http/rows.ts';
import { sentPlace, toOurRecord } from './dialect.ts';
import { type Called, invalidAnswer } from './failures.ts';
import { clockOf, dated, EMPTY_PAGE, fieldsAhead, type ListPage, maxRows, readPage } from './page.ts';

/** null: an empty answer. @throws CallFailure for an invalid answer */
export async function readEntity(called: Called, answered: Answered): Promise<unknown> {
  const value = toOurRecord(called.operation.spoken, await jsonOf(called, answered, parseEntity));
  const checked = called.operation.answer.safeParse(value);
  const clock = clockOf(servedAt(answered.headers, Date.now()), [value], {});
  if (checked.success) return dated(value, fieldsAhead(value, clock));
  const { path, message } = firstIssue(checked.error);
  throw invalidAnswer(called, answered.status, { path: sentPlace(called.operation.spoken, path), message });
}

export async function readList(
  called: Called,
  answered: Answered,
  query: Parameters<typeof readPage>[1],
): Promise<ListPage<unknown>> {
  const at = servedAt(answered.headers, Date.now());
  if (answered.status === 404) return { ...EMPTY_PAGE, servedAt: at };
  const json = await jsonOf(called, answered, () =>
    parseRows(answered.body, 'results', maxRows(called.operation, query)),
  );
  const read = await readPage(called.operation, query, json, at);
  if ('issue' in read) throw invalidAnswer(called, answered.status, read.issue);
  return read.page;
}

async function jsonOf(
  called: Called,
  { status, headers, body }: Answered,
  parse: (body: Uint8Array) => unknown,
): Promise<unknown> {
  if (body.length === 0) return null;
  try {
    return await parse(body);
  } catch (error) {
    if (error instanceof TooManyRows) throw invalidAnswer(called, status, { path: 'results', message: error.message });
    const type = headers['content-type'] ?? 'no content type';
    const message = `it is not JSON (${type}, ${body.length} bytes); is base_url right?`;
    throw invalidAnswer(called, status, { path: '', message });
  }
}
