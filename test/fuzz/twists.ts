import type { Chance } from '../../src/sandbox/chance.ts';
import type { Answer, Twisted } from '../support/twisted.ts';

type Twist = (answer: Answer, chance: Chance) => Twisted;

/** Fields that identify a record. A change of these fields would invent a record, and no reader can notice that. */
const IDENTITY = /^(id|number|short_id|sku|reference|external_id|product_id|marketplace_id|external_ids)$/;
const FUTURE = ['9999-12-31T23:59:59Z', '2999-01-01T00:00:00.000000+00:00', '2190-06-01T12:00:00Z'];
const WRONG = ['{}', '[]', 'true', '[[]]', '{"a":1}', '""'];
/** A field with a plain value: its name and its value. */
const FIELD = /"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g;

/** Changes one field among those whose name is allowed. */
function oneField(
  text: string,
  chance: Chance,
  allows: (name: string, value: string) => boolean,
  change: (field: string, name: string, value: string) => string,
): string {
  const found = [...text.matchAll(FIELD)].filter(([, name = '', value = '']) => allows(name, value));
  const field = found[chance.whole(0, Math.max(0, found.length - 1))];
  if (field === undefined) return text;
  const [whole, name = '', value = ''] = field;
  return text.slice(0, field.index) + change(whole, name, value) + text.slice(field.index + whole.length);
}

const rewritten =
  (change: (text: string, chance: Chance) => string): Twist =>
  (answer, chance) => ({ ...answer, body: Buffer.from(change(answer.body.toString(), chance)) });

const isText = (name: string, value: string) => value.startsWith('"') && !IDENTITY.test(name);
const isNumber = (_name: string, value: string) => /^-?\d/.test(value);
const isTime = (_name: string, value: string) => /^"\d{4}-\d\d-\d\dT/.test(value);
const any = () => true;
/** Inserts text in the first row, after its first brace. */
const inRow = (text: string, more: string) => text.replace(/("(?:results|items)"\s*:\s*\[\s*\{|^\s*\{)/, `$1${more},`);
const junk = (text: string, rows: string) => text.replace(/"(results|items)"\s*:\s*\[/, `"$1":[${rows},`);

const VERY_MANY = Array(100_000).fill('0').join();

/** The changes of an answer. Each either means the same, or a reader can tell it from a true answer. */
export const TWISTS: Readonly<Record<string, Twist>> = {
  'wrong type': rewritten((text, chance) =>
    oneField(text, chance, any, (_, name) => `"${name}":${WRONG[chance.whole(0, WRONG.length - 1)] ?? '{}'}`),
  ),
  'times from the future': rewritten((text, chance) =>
    oneField(text, chance, isTime, (_, name) => `"${name}":"${FUTURE[chance.whole(0, FUTURE.length - 1)] ?? ''}"`),
  ),
  'number as an exponent': rewritten((text, chance) =>
    oneField(text, chance, isNumber, (_, name, value) => `"${name}":${value.replace(/[eE].*/, '')}e0`),
  ),
  'enormous number': rewritten((text, chance) =>
    oneField(text, chance, isNumber, (_, name) => `"${name}":${'9'.repeat(chance.whole(80, 4_000))}`),
  ),
  'lone surrogate': rewritten((text, chance) =>
    oneField(text, chance, isText, (_, name, value) => `"${name}":${value.slice(0, -1)}\\ud800"`),
  ),
  'null byte': rewritten((text, chance) =>
    oneField(text, chance, isText, (_, name, value) => `"${name}":${value.slice(0, -1)}\\u0000"`),
  ),
  'enormous text': rewritten((text, chance) =>
    oneField(text, chance, isText, (_, name) => `"${name}":"${'x'.repeat(chance.whole(10_000, 300_000))}"`),
  ),
  'field twice': rewritten((text, chance) => oneField(text, chance, any, (field, name) => `"${name}":[],${field}`)),
  'field missing': rewritten((text, chance) => oneField(text, chance, any, (_, name) => `"no_${name}":0`)),
  'deep row': rewritten((text, chance) => {
    const levels = chance.whole(100, 6_000);
    return inRow(text, `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`);
  }),
  'junk rows': rewritten((text, chance) => junk(text, Array(chance.whole(1, 400)).fill('0').join())),
  'very many junk rows': rewritten((text) => junk(text, VERY_MANY)),
  truncated: (answer, chance) => ({
    ...answer,
    body: answer.body.subarray(0, chance.whole(0, Math.max(0, answer.body.length - 1))),
    cut: true,
  }),
  'half of it as all': (answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }),
  'bytes flipped': (answer) => {
    const body = Buffer.from(answer.body);
    body.fill(0xff, body.length >> 1, Math.min(body.length, (body.length >> 1) + 4));
    return { ...answer, body };
  },
  html: (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html' },
    body: Buffer.from('<html><body>We will be right back</body></html>'),
  }),
  empty: (answer) => ({ ...answer, body: Buffer.alloc(0) }),
  'another page': rewritten((text, chance) =>
    text.replace(/"next"\s*:\s*(null|"[^"]*")/, `"next":"page-${chance.whole(1, 1_000_000)}"`),
  ),
  'status 500': (answer) => ({ ...answer, status: 500 }),
  'too many calls': (answer) => ({ ...answer, status: 429, headers: { ...answer.headers, 'retry-after': '0' } }),
};

export const TWIST_NAMES = Object.keys(TWISTS);
