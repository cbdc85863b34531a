import { z } from 'zod';
import { type Secrecy, secrecyOf } from '../settings/scalars.ts';
import type { Path } from './path.ts';
import { configFile } from './schema.ts';

export type IsSecret = (path: Path, leaf: unknown) => boolean;

/**
 * The schema decides, because names do not tell: `auth.key` is a secret, `paging.key` names a field.
 * @param at the path of `value` in the configuration
 */
export function secretsIn(value: unknown, at: Path = []): IsSecret {
  return (path, leaf) => {
    const found = secrecyAt(path, (length) =>
      length < at.length ? undefined : inside(value, path.slice(at.length, length)),
    );
    if (found.has('always')) return true;
    return found.has('named') && isNamedSecret(path, leaf);
  };
}

function inside(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown> | null | undefined)?.[step], value);
}

/** Names under which calls and free settings have secrets. */
const TELLING_NAME = /^authorization$|(?:password|passphrase|secret|token)$|(?:api|private|access)[-_]?key$/i;

/** A shorter text is a word, and a text with `{{ }}` takes its secret from elsewhere. */
const LITERAL = /^(?!.*\{\{).{8,}$/s;

function isNamedSecret(path: Path, value: unknown): boolean {
  const name = path.findLast((step) => typeof step === 'string');
  return name !== undefined && TELLING_NAME.test(name) && typeof value === 'string' && LITERAL.test(value);
}

/** The schema's marks on the path to a value. @param valueOf the value after this many steps; undefined: unknown */
function secrecyAt(path: Path, valueOf: (length: number) => unknown): Set<Secrecy> {
  const found = new Set<Secrecy>();
  let here = alternatives(configFile, valueOf(0));
  for (const [index, step] of path.entries()) {
    const length = index + 1;
    here = here.flatMap((schema) => below(schema, step)).flatMap((schema) => alternatives(schema, valueOf(length)));
    for (const schema of here) {
      const secrecy = secrecyOf(schema);
      if (secrecy !== null) found.add(secrecy);
    }
  }
  return found;
}

/** The schema with all nested ones for the same value. Without a matching discriminator, every alternative counts. */
function alternatives(schema: z.core.$ZodType, value: unknown): z.ZodType[] {
  const one = schema as z.ZodType;
  const within = (parts: readonly z.core.$ZodType[]) => [one, ...parts.flatMap((part) => alternatives(part, value))];
  if (one instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = one.def;
    const fitting = one.options.filter((option) => {
      return option._zod.propValues?.[discriminator]?.has(inside(value, [discriminator]) as z.core.util.Primitive);
    });
    return within(fitting.length > 0 ? fitting : one.options);
  }
  if (one instanceof z.ZodUnion) return within(one.options);
  if (one instanceof z.ZodPipe) return within([one.in, one.out]);
  if (
    one instanceof z.ZodOptional ||
    one instanceof z.ZodNullable ||
    one instanceof z.ZodDefault ||
    one instanceof z.ZodPrefault ||
    one instanceof z.ZodReadonly
  )
    return within([one.unwrap()]);
  return [one];
}

function below(schema: z.ZodType, step: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    const own = typeof step === 'string' && Object.hasOwn(shape, step) ? shape[step] : undefined;
    return own === undefined ? [] : [own];
  }
  if (schema instanceof z.ZodArray) return [schema.element];
  return schema instanceof z.ZodRecord ? [schema.valueType] : [];
}
