import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';

const table = Object.entries(OPERATIONS) as [string, Operation][];

test.each(table)('the operation %s is complete', (id, operation) => {
  expect(operation.id).toBe(id);
  expect(operation.path).toMatch(/^\/(?:[\w-]+\/|\{\w+\}\/)+$/);
  const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(new Set(placeholders)).toEqual(new Set(Object.keys(operation.pathParams.shape)));
  expect(operation.effect === 'none').toBe(operation.method === 'GET');
  // Spec 1, Permissions: licenses are seen by those who may write.
  const reads = operation.method === 'GET' && operation.path.split('/')[1] !== 'licenses';
  if (operation.permission !== null) expect(operation.permission.access).toBe(reads ? 'read' : 'write');
  if (operation.paging !== null) expect(operation).toMatchObject({ method: 'GET', body: null });
});

test('no two operations share method and path', () => {
  const routes = table.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(routes).size).toBe(routes.length);
});

test.each(table)('the answer of %s is only checked, never changed', (_, operation) => {
  const changing = [...kindsIn(operation.answer)].filter((kind) =>
    ['transform', 'pipe', 'default', 'prefault', 'catch'].includes(kind),
  );
  expect(changing).toEqual([]);
});

function* kindsIn(schema: z.core.$ZodType): Generator<string> {
  const def = schema._zod.def as Partial<Record<'innerType' | 'element' | 'valueType', z.core.$ZodType>> & {
    type: string;
    options?: z.core.$ZodType[];
    shape?: Record<string, z.core.$ZodType>;
  };
  yield def.type;
  const inner = [def.innerType, def.element, def.valueType, ...(def.options ?? []), ...Object.values(def.shape ?? {})];
  for (const each of inner) if (each !== undefined) yield* kindsIn(each);
}
