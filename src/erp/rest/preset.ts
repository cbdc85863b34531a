import { z } from 'zod';
import { doc, text } from '../../settings/scalars.ts';
import { presetHead } from '../preset.ts';
import { readableMappings } from './readable.ts';
import { description } from './schema.ts';

/** A description, with a head for those who choose it. It holds no secrets, so the configuration completes `auth`. */
export const presetFile = z
  .strictObject({
    ...presetHead,
    ...description.shape,
    auth: doc(z.looseObject({ scheme: text(40) }), 'How the ERP knows us, without secrets.').optional(),
  })
  .superRefine(...readableMappings);
