import { expect, onTestFinished, test } from 'vitest';
import { playErpStory } from '../../support/erp-story.ts';
import { WAIT_LIMIT_MS } from '../../support/in-time.ts';
import { checkedCompany } from './frappe/checked.ts';
import { booksOf, peopleOf, sectionOf, startCompany } from './frappe/company.ts';

const SIZE = { orders: 32, kills: 2, waitMs: WAIT_LIMIT_MS };
const PRICES = Array.from({ length: 12 }, (_, index) => index + 1.5);

test('ERPNext with 32 orders, edits, cancellations and shipments, and four kills: nothing is lost or created twice', () =>
  playErpStory(async () => {
    const frappe = await startCompany({ prices: PRICES });
    onTestFinished(async () => {
      await frappe.stop();
      expect(frappe.strange).toEqual([]);
    });
    return {
      account: { erp: sectionOf(frappe, { poll: '500ms' }) },
      products: PRICES.length,
      // People work with submitted orders.
      references: () =>
        booksOf(frappe.site).orders.flatMap(({ reference, status }) => (status === 'draft' ? [] : [reference])),
      people: peopleOf(frappe),
      shown: () => booksOf(frappe.site),
    };
  }, SIZE));

test('the ERPNext preset passes `erp check` also for drafts', async () => {
  const frappe = await startCompany({ prices: [1.5, 2.5], kilograms: ['PART-0001', 'PART-0002'] });
  onTestFinished(frappe.stop);
  const { findings } = await checkedCompany(frappe, { drafts: true, products: 2 });
  expect(frappe.strange).toEqual([]);
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
});
