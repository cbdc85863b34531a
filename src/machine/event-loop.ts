import { getHeapStatistics } from 'node:v8';

/** How long this program stood still, so that it read no answer and no timer ended. */
export interface EventLoop {
  /** The longest standstill within the last minute; 0: none worth reporting. */
  stoodStillMs(): number;
  stop(): void;
}

const BEAT_MS = 250;
const WORTH_TELLING_MS = 1_000;
const REMEMBERED_MS = 60_000;

/** @param nowMs a monotonic clock */
export function watchEventLoop(nowMs: () => number = () => performance.now()): EventLoop {
  const standstills: { readonly endedMs: number; readonly tookMs: number }[] = [];
  let beatMs = nowMs();
  const lateMs = (): number => Math.max(0, nowMs() - beatMs - BEAT_MS);
  const beat = setInterval(() => {
    const tookMs = lateMs();
    beatMs = nowMs();
    if (tookMs >= WORTH_TELLING_MS) standstills.push({ endedMs: beatMs, tookMs });
    while ((standstills[0]?.endedMs ?? beatMs) < beatMs - REMEMBERED_MS) standstills.shift();
  }, BEAT_MS);
  beat.unref();
  return {
    // A caller at the end of a standstill may run before the next beat.
    stoodStillMs: () =>
      [lateMs(), ...standstills.map(({ tookMs }) => tookMs)]
        .filter((tookMs) => tookMs >= WORTH_TELLING_MS)
        .reduce((longest, tookMs) => Math.max(longest, tookMs), 0),
    stop: () => clearInterval(beat),
  };
}

export function stoodStillText(tookMs: number, { used_heap_size, heap_size_limit } = getHeapStatistics()): string {
  const figures = `${megabytes(used_heap_size)} of ${megabytes(heap_size_limit)} MB of its heap are used`;
  const event = `This program stood still for ${Math.round(tookMs / 1000)} s within the last minute (${figures}).`;
  return `${event} Give it more of the processor, or more memory if its heap is full.`;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
