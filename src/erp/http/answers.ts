import { z } from 'zod';
import { time } from '../rows/rows.ts';

/** A list's answer. Rows are parsed one by one, so that one that does not fit does not hide the rest. */
export const listAnswer = z.object({
  items: z.array(z.unknown()),
  next: z.string().max(4_096).nullish(),
  as_of: time,
  complete: z.boolean().nullish(),
});

export const errorAnswer = z.object({ error: z.string() });
