import { z } from 'zod';
import { doc, text } from '../settings/scalars.ts';

/** For those who choose a preset. Shipped presets have all of it. */
export const presetHead = {
  about: doc(text(2_000), 'The systems that it describes, and what it covers.').optional(),
  not: doc(text(2_000), 'The things that it does not cover.').optional(),
  rights: doc(text(2_000), 'The rights that it needs there.').optional(),
  proven: doc(text(300), 'The systems that it was proven against.').optional(),
  try: doc(text(2_000), 'How to try it.').optional(),
  needs: doc(z.record(text(60), text(300)), 'The settings that have to be given, and what they mean.').optional(),
} as const;
