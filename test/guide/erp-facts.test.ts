import { expect, test } from 'vitest';
import { fitting } from '../../src/erp/promises/orders.ts';
import { createTurns } from '../../src/erp/rest/limits.ts';
import { topicPage } from '../support/guide.ts';

test('the page on connecting names the prices that the check sends, for each number of decimals', () => {
  const text = topicPage('connect').prose.replaceAll(/\s+/g, ' ');
  const [without, three, two] = [null, 3, 2].map((most) => fitting('12.3456', most).toFixed());
  expect(text).toContain(`${without} without that key, ${three} for 3, and ${two} for 2.`);
});

test('the page on rest says that a limit begins anew with each process, as it does', async () => {
  const limits = { perSecond: null, perMinute: 1 };
  const first = createTurns(limits, () => 0);
  await first.take(1_000, undefined);
  await expect(first.take(1, undefined)).rejects.toThrow('erp.limits');
  // Another process, or the same one after its restart.
  await createTurns(limits, () => 0).take(1, undefined);
  expect(topicPage('rest').prose.replaceAll(/\s+/g, ' ')).toContain('a restart begins with an empty minute');
});
