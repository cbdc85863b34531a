import { z } from 'zod';
import { capabilitiesSection } from '../capabilities.ts';
import { presetHead } from '../preset.ts';
import { description } from './section.ts';

/** Statements for a kind of ERP's database. The configuration adds the address and login. */
export const presetFile = z.strictObject({
  ...presetHead,
  type: z.literal('sql'),
  capabilities: capabilitiesSection.optional(),
  ...description.partial().shape,
});
