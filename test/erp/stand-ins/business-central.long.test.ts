import { expect, onTestFinished, test } from 'vitest';
import { playErpStory } from '../../support/erp-story.ts';
import { WAIT_LIMIT_MS } from '../../support/in-time.ts';
import { booksOf, peopleOf, sectionOf, startCompany } from './business-central/company.ts';

const SIZE = { orders: 32, kills: 2, waitMs: WAIT_LIMIT_MS };
const PRICES = Array.from({ length: 12 }, (_, index) => index + 1.5);

test('Business Central with 32 orders, edits, cancellations and shipments, and four kills: nothing is lost or created twice', () =>
  playErpStory(async () => {
    const central = await startCompany(PRICES, 7);
    onTestFinished(async () => {
      await central.stop();
      expect(central.strange).toEqual([]);
    });
    const books = () => booksOf(central.business);
    return {
      account: { erp: sectionOf(central, { poll: '500ms' }) },
      products: PRICES.length,
      deletes: true,
      references: () => books().orders.map(({ reference }) => reference),
      people: peopleOf(central),
      shown: books,
    };
  }, SIZE));
