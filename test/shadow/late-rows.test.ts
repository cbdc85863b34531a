import { expect, test } from 'vitest';
import { reachedBack, reachOf } from '../../src/shadow/late-rows.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

/** Seconds of one hour, as the ERP's clock shows them. */
const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1, 8, 0, seconds)).toISOString();
const secondsOf = (instant: string | null): number => (Date.parse(instant ?? '') - Date.parse(at(0))) / 1_000;

function contextWith(erp: Record<string, unknown>) {
  const config = accountConfig({ erp: { type: 'http', url: 'http://erp.test', token: 'a-token', ...erp } });
  return { ...accountContext(shelf().store, config), now: () => shelf().nowMs };
}

/** Polls at each of these seconds. Returns the start of each read. */
async function polled(erp: Record<string, unknown>, seconds: readonly number[]): Promise<number[]> {
  const context = contextWith(erp);
  const startMs = shelf().nowMs;
  let cursor = at(seconds[0] ?? 0);
  const began: number[] = [];
  for (const second of seconds) {
    shelf().nowMs = startMs + second * 1_000;
    const { from, isLate } = await reachOf(context, 'erp-orders', cursor);
    began.push(secondsOf(from));
    cursor = at(second);
    if (isLate) await reachedBack(context, 'erp-orders', cursor);
  }
  return began;
}

test('a slow ERP poll reaches back a minute each time', async () => {
  expect(await polled({ poll: '15s' }, [100, 115, 130])).toEqual([40, 40, 55]);
});

test('a fast ERP poll asks for new rows, and reaches back every fifteen seconds', async () => {
  expect(await polled({ poll: '1s' }, [100, 101, 102, 114, 115, 116])).toEqual([40, 100, 101, 102, 40, 115]);
});

test('an ERP poll reaches back as far as the longest transaction of the ERP takes', async () => {
  const capabilities = { longest_transaction: '5m' };
  expect(await polled({ poll: '15s', capabilities }, [400, 415])).toEqual([100, 100]);
});

test('a row that becomes visible late is within a read that begins after that, however the polls fall', async () => {
  const longest = 60;
  const seconds = Array.from({ length: 200 }, (_, index) => 100 + index);
  const began = await polled({ poll: '1s' }, seconds);
  for (let stamped = 100; stamped < 200; stamped += 7) {
    const visible = stamped + longest;
    const caught = seconds.findIndex((second, index) => second > visible && (began[index] ?? Infinity) <= stamped);
    expect(caught, `stamped ${stamped}`).not.toBe(-1);
    expect((seconds[caught] ?? 0) - visible).toBeLessThanOrEqual(15);
  }
});
