import { expect, test } from 'vitest';
import { pricesMoved } from '../../../../src/flows/customer/out/prices.ts';

const moved = (name: 'discount_percent' | 'price_schedule_id', shown: object, value: unknown) => {
  const { changePercent, priceAmount, ...rest } = pricesMoved(name, shown as never, { [name]: value });
  return {
    ...rest,
    changePercent: typeof changePercent === 'string' ? changePercent : changePercent?.toFixed(2),
    priceAmount: priceAmount?.toFixed(),
  };
};

test('the price effect of a discount is measured on all that the customer buys', () => {
  expect(moved('discount_percent', { discount_percent: '10.0000' }, '55.0000')).toEqual({
    before: '90 % of each price (discount_percent "10.0000")',
    after: '45 % of each price (discount_percent "55.0000")',
    brake: 'price',
    changePercent: '-50.00',
    priceAmount: '45',
  });
  expect(moved('discount_percent', { discount_percent: null }, '5')).toMatchObject({ changePercent: '-5.00' });
});

test('an unknown discount, a discount of 100 %, and a price schedule may move prices without limit', () => {
  expect(moved('discount_percent', {}, '5')).toMatchObject({
    before: 'discount_percent not shown',
    changePercent: 'from-unknown',
  });
  expect(moved('discount_percent', { discount_percent: '100' }, '5')).toMatchObject({ changePercent: 'from-nothing' });
  expect(moved('price_schedule_id', { price_schedule_id: 3 }, 4)).toEqual({
    before: 'price_schedule_id 3',
    after: 'price_schedule_id 4',
    brake: 'price',
    changePercent: 'by-schedule',
    priceAmount: undefined,
  });
});
