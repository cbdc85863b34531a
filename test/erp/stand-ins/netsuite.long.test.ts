import { expect, onTestFinished, test } from 'vitest';
import { playErpStory } from '../../support/erp-story.ts';
import { WAIT_LIMIT_MS } from '../../support/in-time.ts';
import { booksOf, peopleOf, sectionOf, startCompany } from './netsuite/company.ts';

const SIZE = { orders: 32, kills: 2, waitMs: WAIT_LIMIT_MS };
const PRICES = Array.from({ length: 12 }, (_, index) => index + 1.5);

test('NetSuite with 32 orders, edits, cancellations and shipments, and four kills: nothing is lost or created twice', () =>
  playErpStory(async () => {
    const company = await startCompany(PRICES);
    onTestFinished(async () => {
      await company.stop();
      expect(company.strange).toEqual([]);
    });
    const books = () => booksOf(company.account);
    return {
      account: { erp: sectionOf(company, { poll: '500ms' }) },
      products: PRICES.length,
      references: () => books().orders.map(({ reference }) => reference),
      people: peopleOf(company),
      shown: books,
    };
  }, SIZE));
