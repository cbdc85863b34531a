import { z } from 'zod';
import type { Rule } from '../expressions/rule.ts';

/** Fields by their name on the wire, each with the rule that makes it, or a constant. */
export const freeFields = z.record(z.string(), z.json());

/** A field that is made by a rule. */
export interface NamedRule {
  readonly name: string;
  readonly rule: Rule;
}

/** `FIELD: false` or `FIELD: null`: the field is not sent. */
export const isLeftOut = (rule: unknown): boolean => rule === false || rule === null;
