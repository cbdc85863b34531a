import { z } from 'zod';
import { doc, duration, text, wholeNumber } from '../settings/scalars.ts';
import * as check from './contradictions.ts';

const id = (description: string) => doc(wholeNumber(1, Number.MAX_SAFE_INTEGER), description);

export const facilities = z
  .strictObject({
    company_id: id('The viewing company of the inventory; seller_id unless set.').optional(),
    created_by: doc(
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      'The marketplace user on whose behalf inventory commands are sent.',
    ),
    poll: doc(duration('100ms').prefault('5m'), 'How often the measurements of all products are read.'),
    batches: doc(
      z.strictObject({
        fields: doc(
          z.record(text(100), z.json()),
          "The fields of a batch: JSONata over the ERP's lot, or objects of such. Numbers and true are constants.",
        ),
        match: doc(text(100), 'One of these fields: an existing batch is found by it.'),
      }),
      "Batches are made and changed on the marketplace from the ERP's lots. Without it, each batch_id is written in the map.",
    ).optional(),
    map: doc(
      z
        .array(
          z.strictObject({
            erp_location: doc(text(200), "The location of the ERP's stock rows."),
            erp_batch: doc(
              text(200),
              'The batch or lot of these rows; without it, rows that name no batch.',
            ).optional(),
            facility_id: id('The facility on the marketplace.'),
            batch_id: id("The batch on the marketplace; without it, the batch of each of the ERP's lots.").optional(),
          }),
        )
        .min(1, 'at least one place is needed: without it no stock would be written')
        .max(10_000),
      'The facility and batch of each stock row of the ERP. The buffer is kept back at the first place that has units.',
    ),
  })
  .superRefine(check.facilities, { when: check.always });
