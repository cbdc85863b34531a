import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchEventLoop } from '../../src/machine/event-loop.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function watched() {
  let steadyMs = 0;
  const loop = watchEventLoop(() => steadyMs);
  return {
    loop,
    /** The loop turns as it should. */
    turn(ms: number): void {
      for (let left = ms; left > 0; left -= 250) {
        steadyMs += 250;
        vi.advanceTimersByTime(250);
      }
    },
    /** Nothing runs for this time. */
    standStill(ms: number): void {
      steadyMs += ms;
    },
  };
}

test('the longest pause of the event loop in the last minute is reported, also before the next beat', () => {
  const { loop, turn, standStill } = watched();
  turn(5_000);
  expect(loop.stoodStillMs()).toBe(0);
  standStill(7_250);
  expect(loop.stoodStillMs()).toBe(7_000);
  turn(30_000);
  standStill(2_000);
  turn(20_000);
  expect(loop.stoodStillMs()).toBe(7_250);
  turn(20_000);
  expect(loop.stoodStillMs()).toBe(2_000);
  turn(50_000);
  expect(loop.stoodStillMs()).toBe(0);
  loop.stop();
});
