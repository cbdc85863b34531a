import { afterEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { readAmount, readDecimal } from '../../../src/marketplace/entities/amounts.ts';
import { readPayment } from '../../../src/marketplace/entities/payment.ts';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import { shownDecimal, shownDecimalOrNone, wireDecimal } from '../../../src/marketplace/operations/wire.ts';
import { start } from '../../sandbox/marketplace/api.ts';
import { clientFor } from '../loopback.ts';
import { type Json, jsonOf } from './spec/notation.ts';

const table: readonly Operation[] = Object.values(OPERATIONS);

/** Texts that some pattern of the documents permits, each with its value. A text without a digit has none. */
const TEXTS: Readonly<Record<string, string | null>> = {
  '5': '5',
  '-5': '-5',
  '005': '5',
  '12345678': '12345678',
  '0': '0',
  '-0': '0',
  '.5': '0.5',
  '-.5': '-0.5',
  '5.': '5',
  '-5.': '-5',
  '.05': '0.05',
  '-12345678.12': '-12345678.12',
  '.1234': '0.1234',
  '123456789012345678.12': '123456789012345678.12',
  '': null,
  '-': null,
  '.': null,
  '-.': null,
};

interface Pattern {
  readonly field: string;
  readonly pattern: RegExp;
}

/** The decimal patterns of this operation's body, each with its field. */
function patternsOf({ id, body }: Operation): Pattern[] {
  return body === null ? [] : patternsIn(jsonOf(body), id);
}

function patternsIn(json: Json, field: string): Pattern[] {
  const own = [json.pattern, ...(json.allOf ?? []).map((part) => part.pattern)];
  const pattern = own.find((text) => text?.includes(String.raw`(?:\.\d{0,`) ?? false);
  const inner = [...Object.entries(json.properties ?? {}), ...(json.anyOf ?? []).map((one) => ['', one] as const)];
  return [
    ...(pattern === undefined ? [] : [{ field, pattern: new RegExp(pattern) }]),
    ...inner.flatMap(([name, part]) => patternsIn(part as Json, name === '' ? field : `${field} ${name}`)),
  ];
}

const PATTERNS = table.flatMap(patternsOf);

test('the documents have patterns for the decimals of customers, payments and inventory commands', () => {
  const fields = new Set(PATTERNS.map(({ field }) => field.split(' ').at(-1)));
  expect(fields).toEqual(new Set(['discount_percent', 'shipping_charge', 'total', 'quantity', 'to_quantity']));
});

test.each(PATTERNS)('every text that the pattern of $field permits is read', ({ pattern }) => {
  const permitted = Object.entries(TEXTS).filter(([text]) => pattern.test(text));
  expect(permitted.length).toBeGreaterThan(10);
  for (const [text, value] of permitted) {
    expect(shownDecimalOrNone.safeParse(text).success, text).toBe(true);
    expect(shownDecimal.safeParse(text).success, text).toBe(value !== null);
    expect(parseDecimal(text)?.toFixed() ?? null, text).toBe(value);
    expect(readDecimal(text)?.toFixed() ?? null, text).toBe(value);
    expect(readAmount({ amount: text, currency: 'USD' })?.toFixed() ?? null, text).toBe(value);
  }
});

test.each(PATTERNS)('$field is sent with at least one digit', ({ field }) => {
  const [id = '', name = ''] = field.split(' ');
  const schema = table.find((operation) => operation.id === id)?.body as z.ZodObject;
  const at = schema.shape[name] as z.ZodType;
  for (const [text, value] of Object.entries(TEXTS)) if (value === null) expect(at.safeParse(text).success).toBe(false);
});

test.each(table)('no decimal in the answer of $id is read more strictly than the documents permit', ({ answer }) => {
  expect([...schemasIn(answer)]).not.toContain(wireDecimal);
});

function* schemasIn(schema: z.core.$ZodType): Generator<z.core.$ZodType> {
  const def = schema._zod.def as Partial<Record<'innerType' | 'element' | 'valueType', z.core.$ZodType>> & {
    options?: z.core.$ZodType[];
    shape?: Record<string, z.core.$ZodType>;
  };
  yield schema;
  const inner = [def.innerType, def.element, def.valueType, ...(def.options ?? []), ...Object.values(def.shape ?? {})];
  for (const each of inner) if (each !== undefined) yield* schemasIn(each);
}

test('a payment of .50 is half a dollar', () => {
  expect(readPayment({ id: 7, order: '9f1c', total: '.50' }).total.toFixed()).toBe('0.5');
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test('a customer is created with a discount of -.5, and the answer is read', async () => {
  const { url, key } = await start();
  const client = clientFor(url, { auth: { scheme: 'app', key } });
  closing.push(() => client.close());
  const body = { name: 'Green Door', owner_id: 4711, discount_percent: '-.5' };
  const made = await client.call('customers.create', { body }, { lane: 'operator' });
  expect(made).toMatchObject({ discount_percent: '-.5' });
});
