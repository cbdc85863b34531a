import { z } from 'zod';
import { doc, text } from '../../settings/scalars.ts';
import { readableMappings } from './readable.ts';
import { description } from './schema.ts';

/** A preset: a description, and a head for those who choose it. Shipped ones have a head. A preset holds no secrets, so the configuration has to complete `auth`. */
export const presetFile = z
  .strictObject({
    about: doc(text(2_000), 'The systems that it describes, and what it covers.').optional(),
    not: doc(text(2_000), 'The things that it does not cover.').optional(),
    rights: doc(text(2_000), 'The rights that it needs there.').optional(),
    proven: doc(text(300), 'The systems that it was proven against.').optional(),
    try: doc(text(2_000), 'How to try it.').optional(),
    needs: doc(z.record(text(60), text(300)), 'The settings that have to be given, and what they mean.').optional(),
    ...description.shape,
    auth: doc(z.looseObject({ scheme: text(40) }), 'How the ERP knows us, without secrets.').optional(),
  })
  .superRefine(...readableMappings);
