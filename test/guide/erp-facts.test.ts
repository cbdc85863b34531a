import { expect, test } from 'vitest';
import { roundedDown } from '../../src/erp/promises/orders.ts';
import { createTurns } from '../../src/erp/rest/limits.ts';
import { topicPage } from '../support/guide.ts';

test('the page on connecting names the prices that the check sends, for each number of decimals', () => {
  const text = topicPage('connect').prose.replaceAll(/\s+/g, ' ');
  const [without, three, two] = [null, 3, 2].map((most) => roundedDown('12.3456', most).toFixed());
  expect(text).toContain(`${without} without that key, ${three} for 3, and ${two} for 2.`);
});

test('the page on rest says that calls before a restart count, and that a command counts its own, as they do', async () => {
  const limits = { perSecond: null, perMinute: 1 };
  const calls: number[] = [];
  const record = { ages: async () => calls.map(() => 0), add: () => void calls.push(0) };
  await createTurns(limits, () => 0, record).take(1_000, undefined);
  const again = createTurns(limits, () => 0, record);
  await expect(again.take(1, undefined)).rejects.toThrow('erp.limits');
  await createTurns(limits, () => 0).take(1, undefined);
  const text = topicPage('rest').prose.replaceAll(/\s+/g, ' ');
  expect(text).toContain('so they count after a restart too');
  expect(text).toContain('beside a daemon counts its own calls only');
});
