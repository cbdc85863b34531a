import fc from 'fast-check';
import { rawNumber } from '../../../../src/http/json.ts';
import type { WireFile } from '../../../../src/marketplace/operations/wire.ts';
import type { Json } from '../../../marketplace/operations/spec/notation.ts';

/** Where a value is in a request: `['body', 'line_items', 0, 'product']`. */
export type Place = readonly (string | number)[];

/** Marks a field that a request must leave out. */
export const LEFT_OUT = Symbol('left out');

/** The value of an existing record that belongs at a place; undefined where any value will do. */
export type Known = (place: Place) => unknown;

export const PNG: WireFile = { name: 'front.png', contentType: 'image/png', bytes: Uint8Array.of(137, 80, 78, 71) };

const NAMED: Readonly<Record<string, unknown>> = {
  decimal: '1.50',
  number: rawNumber('1.50'),
  'date-time': '2026-02-03T10:00:00Z',
  file: PNG,
  integers: '1',
  numbers: '1',
  ordering: 'id',
};
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  date: '2026-02-03',
  email: 'buyer@green-door.example',
};

/** A value that fits a schema: with all optional parts, or with none. */
export function valid(json: Json, place: Place, known: Known, how: 'whole' | 'least'): unknown {
  const own = known(place);
  if (own !== undefined) return own;
  const { title, enum: choices, anyOf: members } = json;
  if (title !== undefined) return NAMED[title];
  if (json.const !== undefined) return json.const;
  if (choices !== undefined) return choices[0];
  if (members !== undefined) return valid(members[0] as Json, place, known, how);
  if (json.type === 'object') return validObject(json, place, known, how);
  if (json.type === 'array') return [valid(json.items as Json, [...place, 0], known, how)];
  return validScalar(json);
}

function validObject(json: Json, place: Place, known: Known, how: 'whole' | 'least'): unknown {
  const { properties = {}, required = [] } = json;
  const taken = Object.entries(properties).filter(([name]) => how === 'whole' || required.includes(name));
  const values = taken.map(([name, inner]) => [name, valid(inner as Json, [...place, name], known, how)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== LEFT_OUT));
}

function validScalar(json: Json): unknown {
  const [type] = [json.type].flat();
  if (type === 'integer') return Math.max(1, json.minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'string') return validText(json);
  return 'anything';
}

function validText({ format, minLength = 1, pattern, allOf = [] }: Json): string {
  const known = FORMATS[format ?? ''];
  if (known !== undefined) return known;
  const patterns = [pattern, ...allOf.map((each) => each.pattern)].filter((each) => each !== undefined);
  if (patterns.length === 0) return 'x'.repeat(Math.max(1, minLength));
  const [first = ''] = patterns;
  const fitting = fc
    .stringMatching(new RegExp(first))
    .filter((text) => text.length >= minLength && patterns.every((each) => new RegExp(each).test(text)));
  return fc.sample(fitting, { numRuns: 1, seed: 7 })[0] ?? '';
}
