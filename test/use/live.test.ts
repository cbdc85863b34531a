import { expect, onTestFinished, test } from 'vitest';
import type { JournalStore } from '../../src/store/record.ts';
import { createLive } from '../../src/use/live.ts';

test('200 listen at a time, and 50 of them by the same name', async () => {
  const empty = { before: async () => [], after: async () => [], changed: async () => [] };
  const live = createLive({ journal: empty as unknown as JournalStore }, {});
  onTestFinished(() => live.stop());
  const listen = (by: string) => live.listen(by, null, () => {});
  const leave: (() => void)[] = [];
  for (const by of ['ann', 'bob', 'cem', 'dia']) {
    for (let open = 0; open < 50; open += 1) leave.push(await listen(by));
    if (by !== 'dia') await expect(listen(by)).rejects.toThrow(`50 listen as ${by} already`);
  }
  await expect(listen('eve')).rejects.toThrow('200 listen already');
  leave[0]?.();
  await expect(listen('bob')).rejects.toThrow('50 listen as bob already');
  await listen('ann');
});
