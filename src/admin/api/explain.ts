import { z } from 'zod';
import { explainEntity } from '../../use/explain/explain.ts';
import { explanation } from '../../use/explain/explanation.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { ofAccount, route } from './route.ts';

export const EXPLAIN_ROUTES = [
  route({
    id: 'explainEntity',
    method: 'GET',
    path: '/explain',
    summary: 'Why an entity is as it is, now or at a moment of the past',
    query: ofAccount.extend({
      name: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'A SKU, a number or an id of either side, or the beginning of one' }),
      kind: z.enum(KINDS).optional(),
      at: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: explanation,
    run: (opened, { query: { at, ...asked } }) =>
      explainEntity(opened, { ...asked, atMs: at === undefined ? undefined : Date.parse(at) }),
  }),
];
