import { z } from 'zod';
import type { Desk } from '../../use/desk.ts';

/** The answer of an action: a sentence for the next page, and that page where it is another. */
interface Done {
  readonly said: string;
  readonly to?: string;
}

/** Something that an operator does with a form. */
export interface Act {
  readonly name: string;
  readonly form: z.ZodType;
  run(opened: Desk, form: unknown, signal: AbortSignal): Promise<Done>;
}

interface Written<Form extends z.ZodType> extends Pick<Act, 'name'> {
  readonly form: Form;
  run(opened: Desk, form: z.output<Form>, signal: AbortSignal): Promise<Done>;
}

export function act<Form extends z.ZodType>(written: Written<Form>): Act {
  return written;
}

/** A box that is ticked, or is not sent. */
export const ticked = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes');
