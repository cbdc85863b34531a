import { expect, test } from 'vitest';
import { wrap } from '../../src/cli/table.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { instantNs } from '../../src/domain/instant.ts';
import { nameKey } from '../../src/domain/name.ts';
import { addressProblem } from '../../src/erp/images/address.ts';
import { parseJson } from '../../src/http/json.ts';
import { redactKeys, textRedactor } from '../../src/logging/redaction.ts';
import { sentDateTime, wireDecimal, wireIntegerList, wireNumberList } from '../../src/marketplace/operations/wire.ts';
import { isEmptyCollection } from '../../src/marketplace/page.ts';
import { readQuotaHeaders } from '../../src/marketplace/quota.ts';
import { refusalText } from '../../src/marketplace/refusal.ts';
import { entityOf } from '../../src/shadow/hints.ts';
import { csvLine } from '../../src/use/mapping/csv.ts';

/** Quadratic work on these takes longer than a test may, linear work a moment. */
const LENGTH = 30_000;
const repeat = (part: string) => part.repeat(Math.ceil(LENGTH / part.length));

const PARTS = [
  'a',
  ' ',
  '\n',
  '1',
  '"',
  '\\',
  '<',
  '<script',
  '[',
  '@',
  'a@',
  'a.',
  'a@a.',
  '-',
  '.',
  ',',
  '0,',
  '=',
  '/',
  '%',
  '\u001b[',
  'a://',
  'a://a:',
  'Bearer ',
  'authorization:',
  'authorization: App ',
  'Basic  ',
  '" :',
  ', ',
  'page ',
  '\ud800',
  '📦',
  '{"a":',
  'é',
];
const TEXTS = PARTS.flatMap((part) => [
  repeat(part),
  `x${repeat(part)}!`,
  `authorization:${repeat(part)}`,
  `2030-01-01T00:00:00.${repeat(part)}`,
]);

const ANYTHING = (work: (text: string) => unknown) => (text: string) => {
  try {
    work(text);
  } catch (error) {
    // A text that is no JSON may be refused.
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
  }
};
const redact = textRedactor(['a-secret', 'another "secret"']);

const READERS: Record<string, (text: string) => unknown> = {
  'what is logged': redact,
  'keys of what is logged': (text) => redactKeys({ name: text, customer: { name: text }, said: `{"a":"${text}"}` }),
  'refusals of the marketplace': refusalText,
  'refusals in JSON': (text) => refusalText(JSON.stringify({ detail: text, [text]: [text] })),
  'lines that are wrapped': (text) => wrap(text, 80, '  '),
  'cells of CSV': (text) => csvLine([text]),
  decimals: (text) => [parseDecimal(text), wireDecimal.safeParse(text)],
  instants: (text) => [instantNs(text), sentDateTime.safeParse(text)],
  'lists of integers': (text) => [wireIntegerList.safeParse(text), wireNumberList.safeParse(text)],
  JSON: parseJson,
  webhooks: (text) => entityOf(Buffer.from(text)),
  'headers of the quota': (text) =>
    readQuotaHeaders(429, { 'retry-after': text, 'ratelimit-remaining': text, date: text }, 0),
  'empty lists': (text) => isEmptyCollection({ status: 404, body: Buffer.from(text) }, false),
  'addresses of images': (text) => addressProblem(text, ['cdn.example']),
  names: nameKey,
};

test.each(Object.entries(READERS))(
  'a foreign text of any length is read in a time that grows with its length: %s',
  (_, read) => {
    for (const text of TEXTS) ANYTHING(read)(text);
    expect(TEXTS.length).toBeGreaterThan(100);
  },
);
