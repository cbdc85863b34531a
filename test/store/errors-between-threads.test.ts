import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packedError, unpackedError } from '../../src/store/postgres/codec.ts';

/* The store on PostgreSQL works in a thread of its own. A caller tells its errors apart by their classes. */

const STORE = join(import.meta.dirname, '../../src/store');

type ErrorClass = abstract new (...args: never[]) => Error;

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && Error.prototype.isPrototypeOf(value.prototype as object);

/** Every error that the interface of the store declares. */
async function declared(): Promise<ErrorClass[]> {
  const files = readdirSync(STORE).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    files.map(async (name) => (await import(join(STORE, name))) as Record<string, unknown>),
  );
  return modules.flatMap((module) => Object.values(module).filter(isErrorClass));
}

test('every error that the store declares keeps its class and its message between threads', async () => {
  const classes = await declared();
  expect(classes.length).toBeGreaterThan(5);
  for (const one of classes) {
    const error = Object.assign(Object.create(one.prototype as object) as Error, { message: 'planted' });
    const arrived = unpackedError(structuredClone(packedError(error)));
    expect(arrived.constructor, one.name).toBe(one);
    expect(arrived.message).toBe('planted');
  }
});
