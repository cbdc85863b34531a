import type { Json } from '../../../marketplace/operations/spec/notation.ts';
import type { Place } from './valid.ts';

/** One way in which a value does not fit. */
export interface Spoil {
  readonly what: string;
  readonly place: Place;
  /** The value that replaces the valid one; undefined removes it. */
  readonly value: unknown;
  /** The fault is invisible in a request that is only text. */
  readonly typedOnly?: true;
}

/** Every kind of value that does not fit at the places of a valid one. */
export function spoils(json: Json, place: Place, value: unknown): Spoil[] {
  if (value === undefined) return [];
  const own = (what: string, other: unknown): Spoil => ({ what, place, value: other });
  const { title, enum: choices, anyOf: members } = json;
  const more: Spoil[] = MORE_SPOILS[title ?? '']?.map(([what, other]) => own(what, other)) ?? [];
  if (title !== undefined) return [own(`no ${title}`, title === 'ordering' ? 'two words' : 'x y'), ...more];
  if (json.const !== undefined) return [own('another value', `${JSON.stringify(json.const)}~`)];
  if (choices !== undefined) return [own('none of the choices', 'nonsense')];
  if (members !== undefined) return ofUnion(members, place, value);
  if (json.type === 'object') return ofObject(json, place, value as Readonly<Record<string, unknown>>);
  if (json.type === 'array') return ofArray(json, place, value as readonly unknown[]);
  return ofScalar(json, place);
}

/** Further values that do not fit, each with a name of its own. */
const MORE_SPOILS: Readonly<Record<string, readonly (readonly [what: string, value: string])[]>> = {
  number: [['a text', '1.50']],
  'date-time': [['a day that does not exist', '2026-02-30T10:00:00Z']],
};

/** The spoils of a value or null are those of the value. A real choice is spoiled by a value that fits no member. */
function ofUnion(members: readonly Json[], place: Place, value: unknown): Spoil[] {
  const [only, ...others] = members.filter(({ type }) => type !== 'null');
  if (only !== undefined && others.length === 0) return spoils(only, place, value);
  const words: Spoil[] = only?.pattern === undefined ? [] : [{ what: 'none of the words', place, value: '~ ~' }];
  return [{ what: 'none of its types', place, value: { neither: true }, typedOnly: true }, ...words];
}

function ofObject(json: Json, place: Place, value: Readonly<Record<string, unknown>>): Spoil[] {
  const { properties, required = [], additionalProperties } = json;
  if (properties === undefined) return ofMap(json, place);
  const missing = required.map((name) => ({ what: 'missing', place: [...place, name], value: undefined }));
  const typo = { what: 'unknown', place: [...place, 'no_such_name'], value: 'x' };
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    spoils(schema as Json, [...place, name], value[name]),
  );
  return [...missing, ...(additionalProperties === false ? [typo] : []), ...inner];
}

function ofMap({ additionalProperties: inner }: Json, place: Place): Spoil[] {
  const isAnything = typeof inner !== 'object' || Object.keys(inner).length === 0;
  return isAnything ? [] : [{ what: 'a value of another type', place: [...place, 'key'], value: { deep: [17] } }];
}

function ofArray({ items, minItems = 0 }: Json, place: Place, value: readonly unknown[]): Spoil[] {
  const empty: Spoil = { what: 'empty', place, value: [], typedOnly: true };
  const scalar: Spoil = { what: 'no array', place, value: 'x y', typedOnly: true };
  return [scalar, ...(minItems > 0 ? [empty] : []), ...spoils(items as Json, [...place, 0], value[0])];
}

function ofScalar(json: Json, place: Place): Spoil[] {
  const own = (what: string, value: unknown): Spoil => ({ what, place, value });
  const { minimum, maximum, maxLength, minLength = 0, pattern, format, allOf } = json;
  const [type] = [json.type].flat();
  if (type === 'boolean') return [own('no boolean', 'perhaps')];
  if (type === 'integer') {
    const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? [own('too low', minimum - 1)] : [];
    const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [own('too high', maximum + 1)] : [];
    return [own('no integer', 'x y'), own('a fraction', '1.5'), ...least, ...most];
  }
  if (type !== 'string') return [];
  const hasForm = pattern !== undefined || allOf !== undefined || format !== undefined;
  const tooLong = format === 'email' ? `${'x'.repeat(maxLength ?? 0)}@a.example` : 'x'.repeat((maxLength ?? 0) + 1);
  return [
    { what: 'no text', place, value: 17, typedOnly: true },
    ...(hasForm ? [own('another form', '~ ~')] : []),
    ...(minLength > 0 ? [own('too short', 'x'.repeat(minLength - 1))] : []),
    ...(maxLength === undefined ? [] : [own('too long', tooLong)]),
  ];
}

/** The request with another value at a place. */
export function withAt(root: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(root))
    return root.map((each, index) => (index === name ? withAt(each, rest, value) : (each as unknown)));
  const { [name]: before, ...others } = root as Readonly<Record<string, unknown>>;
  const after = withAt(before, rest, value);
  return after === undefined ? others : { ...others, [name]: after };
}
