import { z } from 'zod';
import { doc, pageAddress } from '../settings/scalars.ts';

const ofSide = (side: string) =>
  z
    .strictObject({
      product: doc(pageAddress(), `The page of a product ${side}.`).optional(),
      order: doc(pageAddress(), `The page of an order ${side}.`).optional(),
      customer: doc(pageAddress(), `The page of a customer ${side}.`).optional(),
      payment: doc(pageAddress(), `The page of a payment ${side}.`).optional(),
      batch: doc(pageAddress(), `The page of a batch ${side}.`).optional(),
    })
    .prefault({});

export const pages = z.strictObject({
  marketplace: doc(ofSide('on the marketplace'), 'Pages of the marketplace. {id} stands for the id there.'),
  erp: doc(ofSide('in the ERP'), 'Pages of the ERP. {id} stands for the id there.'),
});

export type Pages = z.output<typeof pages>;
