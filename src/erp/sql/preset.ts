import { z } from 'zod';
import { capabilitiesSection } from '../capabilities.ts';
import { presetHead } from '../preset.ts';
import { description } from './section.ts';

/** A preset: statements for the database of a kind of ERP. The configuration says where the database is, and who we are there. */
export const presetFile = z.strictObject({
  ...presetHead,
  type: z.literal('sql'),
  capabilities: capabilitiesSection.optional(),
  ...description.partial().shape,
});
