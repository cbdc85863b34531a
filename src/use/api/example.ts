import type { z } from 'zod';
import { rawNumber } from '../../http/json.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { defOf, fileFields, type Schema, takes } from './schema.ts';

/** A valid example call, as typed. */
interface Example {
  /** `name=value` for required parameters. */
  readonly params: readonly string[];
  /** null: no body, or only files. */
  readonly body: unknown;
  /** `field=photo.png` */
  readonly files: readonly string[];
}

export function exampleOf(operation: Operation): Example {
  const files = fileFields(operation);
  const body = operation.body === null ? null : exampleValue(operation.body, '', [...files.keys()]);
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0;
  return {
    params: [...requiredParams(operation.pathParams), ...requiredParams(operation.query)],
    body: isEmpty && files.size > 0 ? null : body,
    files: [...files.keys()].map((name) => `${name}=photo.png`),
  };
}

function requiredParams({ shape }: z.ZodObject): string[] {
  return Object.entries(shape as Readonly<Record<string, Schema>>).flatMap(([name, schema]) => {
    if (isOptional(schema)) return [];
    const value = exampleValue(schema, name, []);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one) => `${name}=${typeof one === 'string' ? one : JSON.stringify(one)}`);
  });
}

/** The simplest accepted value, without the fields `without`. */
function exampleValue(schema: Schema, name: string, without: readonly string[]): unknown {
  const def = defOf(schema);
  if (def.innerType !== undefined) return exampleValue(def.innerType, name, without);
  if (def.shape !== undefined) return exampleObject(schema, def.shape, without);
  if (def.element !== undefined) return [exampleValue(def.element, name.replace(/s$/, ''), [])];
  if (def.valueType !== undefined) return { stockbridge: exampleValue(def.valueType, name, []) };
  if (def.options !== undefined) {
    const values = def.options.map((option) => exampleValue(option, name, []));
    return values.find((value) => takes(schema, value)) ?? null;
  }
  if (def.values !== undefined) return def.values[0];
  if (def.entries !== undefined) return Object.values(def.entries)[0];
  return [...(BY_NAME[name] ?? []), ...ANY].find((value) => takes(schema, value)) ?? null;
}

/** Required fields; if that is invalid, some optional ones; then all. */
function exampleObject(
  schema: Schema,
  shape: Readonly<Record<string, Schema>>,
  without: readonly string[],
): Record<string, unknown> {
  const names = Object.keys(shape).filter((name) => !without.includes(name));
  const required = names.filter((name) => !isOptional(shape[name] as Schema));
  const some = names.filter((name) => !required.includes(name)).slice(0, 2);
  const build = (chosen: readonly string[]) =>
    Object.fromEntries(chosen.map((name) => [name, exampleValue(shape[name] as Schema, name, [])]));
  // Without its files, no body is valid, so it is not checked.
  const fits = (value: Record<string, unknown>) => without.length > 0 || takes(schema, value);
  for (const chosen of [required, [...required, ...some]]) {
    if (chosen.length > 0 && fits(build(chosen))) return build(chosen);
  }
  return without.length > 0 ? {} : build(names);
}

function isOptional(schema: Schema): boolean {
  return takes(schema, undefined);
}

const UUID = '7d1f4e9a-1f0c-4a4e-9f43-0d3f6f0f8f11';

/** Realistic values by field name. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  number: [UUID],
  action: ['fulfill'],
  name: ['Corner Shop'],
  sku: ['SB-0001'],
  description: ['Now in blue'],
  topic: ['Delivery on Friday'],
  message: ['Thank you'],
  reason: ['counted'],
  currency: ['USD'],
  type: ['percentage_delta'],
  field: ['retail_price'],
  company_id: [4711],
  seller: [4711],
  owner_id: [4711],
  address: ['12 Main Street'],
  city: ['Portland'],
  state: ['OR'],
  zipcode: ['97201'],
  phone: ['5035550123'],
  email: ['buyer@shop.example'],
};

const ANY: readonly unknown[] = [
  rawNumber('12.50'),
  17,
  1,
  0,
  true,
  'example',
  '12.50',
  UUID,
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  'buyer@shop.example',
  '#33aa77',
  '5035550123',
  'USD',
  '17,18',
  '1',
];
