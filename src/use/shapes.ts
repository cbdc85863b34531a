import { z } from 'zod';

/** A return type, deeply read-only. */
export type JsonOf<T> = T extends readonly (infer Item)[]
  ? readonly JsonOf<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: JsonOf<T[Name]> }
    : T;

/** Why something is stopped, whose turn it is, and the next step. */
export const shownCause = z
  .object({
    code: z.string(),
    params: z.unknown(),
    text: z.string(),
    turn: z.enum(['erp', 'marketplace', 'operator', 'nobody']),
    next: z.string(),
    page: z.string().meta({ description: "The guide's page about it" }),
  })
  .meta({ id: 'Cause' });

/** A side's fields of an entity; null: not shown. */
export const shownFields = z
  .record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).nullable())
  .nullable();

export const milliseconds = z.number().meta({ description: 'Milliseconds' });
