import { z } from 'zod';

/* The parts of answers that several requests have in common, as the JSON API describes them. */

/** The answer of a function, read-only at every depth. */
export type JsonOf<T> = T extends readonly (infer Item)[]
  ? readonly JsonOf<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: JsonOf<T[Name]> }
    : T;

/** Why something does not go on, whose turn it is, and the next step. */
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

/** The fields that one side shows of an entity, by their names; null where the side does not show it. */
export const shownFields = z
  .record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).nullable())
  .nullable();

export const milliseconds = z.number().meta({ description: 'Milliseconds' });
