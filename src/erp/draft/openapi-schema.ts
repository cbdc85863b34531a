import { BOUNDS, type Field, type FieldType, field } from './shape.ts';
import { boundedSamples, decoded, isObject, typeOf } from './values.ts';

/** Reads OpenAPI schemas and resolves their references. Pure. */

export type Loose = Readonly<Record<string, unknown>>;

/** The bound for each list, since a document may refer to itself. */
const NODES_MAX = 10_000;
const OBJECTS_MAX = 20;

export interface SchemaReader {
  resolved(value: unknown): Loose;
  fields(schema: unknown): Field[];
  isCut(): boolean;
}

export function readerOf(document: Loose): SchemaReader {
  let nodes = 0;
  const resolved = (value: unknown): Loose => {
    let at: unknown = value;
    for (let hop = 0; hop < 20 && isObject(at) && typeof at['$ref'] === 'string'; hop += 1)
      at = pointed(document, at['$ref']);
    return isObject(at) ? at : {};
  };
  /** The schema with its parts merged: all of `allOf`, and the first alternative that is not null. */
  const merged = (value: unknown, depth: number): Loose => {
    nodes += 1;
    const schema = resolved(value);
    if (depth > BOUNDS.depth * 2 || nodes > NODES_MAX) return schema;
    const choice = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')]
      .map((one) => merged(one, depth + 1))
      .filter((one) => one['type'] !== 'null')
      .slice(0, 1);
    const parts = [...listAt(schema, 'allOf').map((one) => merged(one, depth + 1)), ...choice];
    const properties = Object.assign({}, ...[...parts, schema].map((one) => objectAt(one, 'properties'))) as Loose;
    const all = Object.assign({}, ...parts, schema) as Loose;
    return Object.keys(properties).length === 0 ? all : { ...all, properties };
  };
  const known = new WeakMap<object, Loose>();
  const whole = (value: unknown): Loose => {
    nodes += 1;
    const schema = resolved(value);
    const before = known.get(schema);
    if (before !== undefined) return before;
    const made = merged(schema, 0);
    known.set(schema, made);
    return made;
  };
  const nested = [new WeakMap<object, Field[]>(), new WeakMap<object, Field[]>()];
  const fieldsOf = (items: unknown, lists: number): Field[] => {
    const schema = whole(items);
    const before = nested[lists]?.get(schema);
    if (before !== undefined) return before;
    const found = fields(items, lists + 1);
    nested[lists]?.set(schema, found);
    return found;
  };
  /** Nearest fields first, so that a recursive schema hides no field of the row itself. */
  const fields = (value: unknown, lists = 0): Field[] => {
    const found: Field[] = [];
    let level: (readonly [path: readonly string[], schema: Loose])[] = [[[], whole(value)]];
    for (let depth = 0; depth < BOUNDS.depth && found.length < BOUNDS.fields && nodes < NODES_MAX; depth += 1) {
      const parts = level.slice(0, OBJECTS_MAX).flatMap(([path, schema]) =>
        Object.entries(objectAt(schema, 'properties'))
          .slice(0, BOUNDS.fields - found.length)
          .map(([name, part]) => ({ path: [...path, name], own: whole(part), schema, name })),
      );
      for (const { path, own, schema, name } of parts) {
        if ('properties' in own) continue;
        const inside = typeIn(own) === 'list' && lists < nested.length ? fieldsOf(own['items'], lists) : [];
        found.push(field(path, { ...typedBy(own), nullable: isNullable(own, schema, name), fields: inside }));
      }
      level = parts.filter(({ own }) => 'properties' in own).map(({ path, own }) => [path, own]);
    }
    return found.slice(0, BOUNDS.fields);
  };
  return { resolved: whole, fields, isCut: () => nodes >= NODES_MAX };
}

function typedBy(schema: Loose): Pick<Field, 'type' | 'samples'> {
  const type = typeIn(schema);
  const samples = samplesIn(schema);
  return { type: type === 'text' && samples.length > 0 && !('enum' in schema) ? typeOf(samples) : type, samples };
}

function pointed(document: Loose, reference: string): unknown {
  if (!reference.startsWith('#/')) return {};
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    document,
  );
}

export function typeIn(schema: Loose): FieldType {
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const format = textAt(schema, 'format');
  if (types.includes('array')) return 'list';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'whole';
  if (types.includes('number')) return 'decimal';
  if (!types.includes('string')) return 'unknown';
  if (format.startsWith('date')) return 'time';
  if (/decimal|money|number/.test(format)) return 'decimal';
  return 'enum' in schema || 'maxLength' in schema || 'example' in schema ? 'text' : 'unknown';
}

function samplesIn(schema: Loose): string[] {
  const all = [schema['example'], ...listAt(schema, 'examples'), ...listAt(schema, 'enum'), schema['const']];
  return boundedSamples(all.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).map(String));
}

function isNullable(own: Loose, parent: Loose, name: string): boolean {
  return (
    own['nullable'] === true || [own['type']].flat().includes('null') || !listAt(parent, 'required').includes(name)
  );
}

export function textAt(value: Loose, name: string): string {
  const found = value[name];
  return typeof found === 'string' ? found : '';
}

export function objectAt(value: Loose, name: string): Loose {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

export function listAt(value: Loose, name: string): readonly unknown[] {
  const found = value[name];
  return Array.isArray(found) ? (found as unknown[]).slice(0, BOUNDS.fields) : [];
}
