import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { descriptionText } from '../../../src/cli/api/describe.ts';
import { fieldLines } from '../../../src/cli/api/fields.ts';
import { parseJson } from '../../../src/http/json.ts';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import { type WireFile, wireDecimal, wireMoney } from '../../../src/marketplace/operations/wire.ts';
import { requestIssues } from '../../../src/marketplace/request.ts';
import { exampleOf } from '../../../src/use/api/example.ts';
import { sortParams } from '../../../src/use/api/request.ts';
import { fileFields, jsonSchemaOf } from '../../../src/use/api/schema.ts';

const operations = Object.values(OPERATIONS) as Operation[];
const PHOTO: WireFile = { name: 'photo.png', contentType: 'image/png', bytes: Uint8Array.of(1) };

/** The body of an example, read again from the typed text. */
function bodyOf(operation: Operation): unknown {
  const { body, files } = exampleOf(operation);
  const json = body === null ? undefined : parseJson(JSON.stringify(body));
  const fields = fileFields(operation);
  expect(files).toEqual([...fields.keys()].map((field) => `${field}=photo.png`));
  if (fields.size === 0) return json;
  return {
    ...(json as object),
    ...Object.fromEntries([...fields].map(([field, takes]) => [field, takes === 'one' ? PHOTO : [PHOTO]])),
  };
}

test.each(operations.map((operation) => [operation.id, operation] as const))(
  'the example of %s is valid in its schemas and in any shell',
  (_, operation) => {
    const { params, body } = exampleOf(operation);
    expect(requestIssues(operation, { ...sortParams(operation, params), body: bodyOf(operation) })).toEqual([]);
    expect(JSON.stringify(body)).not.toContain("'");
  },
);

test('every description fits on a terminal', () => {
  const wide = operations
    .flatMap((operation) => descriptionText(operation, null))
    .filter((line) => line.length > 80 && !line.includes('marketplace.operations.'));
  expect(wide).toEqual([]);
});

describe('fields as a person reads them', () => {
  const lines = (shape: z.ZodRawShape) => fieldLines(jsonSchemaOf(z.strictObject(shape)), '');

  test('api --describe prints the types, limits, requirements and defaults of fields', () => {
    expect(
      lines({
        name: z.string().min(1).max(40),
        note: z.string().max(9).nullish(),
        rank: z.int().min(0).max(7),
        level: z.int().optional(),
        state: z.enum(['a', 'b']).optional(),
        price: wireDecimal,
        colour: z.string().regex(/^#/, 'expected a colour').optional(),
        tags: z.array(z.string()).min(1).max(3),
        ids: z.record(z.string(), z.string()).optional(),
        open: z.boolean().meta({ default: false }).optional(),
      }),
    ).toEqual([
      'name    required  string, 1 to 40 characters',
      'note              string, up to 9 characters, or null',
      'rank    required  integer, 0 to 7',
      'level             integer',
      'state             "a" | "b"',
      'price   required  decimal',
      'colour            colour',
      'tags    required  array of string, 1 to 3 entries',
      'ids               map of name to string',
      'open              boolean, false unless given',
    ]);
  });

  test('api --describe prints nested fields below their parents, also in arrays and alternatives', () => {
    expect(lines({ lines: z.array(z.strictObject({ price: wireMoney.nullish() })) })).toEqual([
      'lines         required  array of object',
      '  price                 object, or null',
      '    amount    required  number',
      '    currency  required  currency code, such as USD',
    ]);
  });

  test('api --describe wraps long fields below themselves', () => {
    const [first = '', second = ''] = lines({
      state: z.enum(Array.from({ length: 9 }, (_, n) => `state-number-${n}`)),
    });
    expect(first.length).toBeLessThanOrEqual(80);
    expect(second).toMatch(/^ {17}"state-number-\d"/);
  });
});
