import { z } from 'zod';
import type { Rule } from '../expressions/rule.ts';

export const freeFields = z.record(z.string(), z.json());

export interface NamedRule {
  readonly name: string;
  readonly rule: Rule;
}

/** `FIELD: false` or `FIELD: null`: the field is not sent. */
export const isLeftOut = (rule: unknown): boolean => rule === false || rule === null;
