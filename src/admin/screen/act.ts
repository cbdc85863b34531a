import { z } from 'zod';
import type { AdminContext } from '../../use/admin-context.ts';
import type { Notice } from './notices.ts';
import type { Question } from './page.ts';

/** Something that an operator does with a form. The account that a form names is one of the configuration. */
export interface Act {
  readonly name: string;
  readonly form: z.ZodType<object>;
  /** The field that a person fills, where a refusal is shown. */
  readonly field?: string;
  /**
   * Answers a sentence for the next page, or the question that has to be answered first.
   * @param isSure the question was answered
   */
  run(opened: AdminContext, form: unknown, signal: AbortSignal, isSure: boolean): Promise<Done | Question>;
}

export type Done = Omit<Notice, 'refused'>;

interface Written<Form extends z.ZodType<object>> extends Pick<Act, 'name' | 'field'> {
  readonly form: Form;
  run(opened: AdminContext, form: z.output<Form>, signal: AbortSignal, isSure: boolean): ReturnType<Act['run']>;
}

export function act<Form extends z.ZodType<object>>(written: Written<Form>): Act {
  return written;
}

/* The fields of forms. */

export const account = z.string().min(1).max(200);
export const id = z.string().trim().min(1).max(200);
export const number = z.coerce.number<string>().int().min(1);

/** A box that is ticked, or is not sent. */
export const checkbox = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes');

/** Boxes of one name: each that is ticked is sent. */
export const checkboxes = z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]);

/** The two ids of a link. No id of the marketplace has the sign between them. */
export const idPair = z
  .string()
  .regex(/^[^=]+=./)
  .max(401)
  .transform((text) => {
    const at = text.indexOf('=');
    return { marketplaceId: text.slice(0, at), erpId: text.slice(at + 1) };
  });

/** A sentence, with what was left as it is. */
export const withRemainder = (said: string, left: string | null) => `${left === null ? said : `${said}; ${left}`}.`;
