import { Worker } from 'node:worker_threads';

/**
 * A thread that has played many stories is slow: after three thousand, each takes four times as long. So a new thread goes on after
 * this many.
 */
const PIECES_A_THREAD = 500;

/** The work of all threads, as each of them knows it. */
export interface Share<Data> {
  readonly data: Data;
  readonly count: number;
  /** The number of pieces that all threads together have begun. */
  readonly begun: Uint32Array;
}

/** The numbers of the pieces that this thread plays. A thread that is done with one takes the next one. */
export function* piecesOf({ count, begun }: Pick<Share<unknown>, 'count' | 'begun'>): Generator<number> {
  for (let left = PIECES_A_THREAD; left > 0; left -= 1) {
    const piece = Atomics.add(begun, 0, 1);
    if (piece >= count) return;
    yield piece;
  }
}

/**
 * Plays the pieces of some work on threads. Each thread runs the script with its share as `workerData`.
 * @returns whether every thread ended well
 */
export async function playOnThreads<Data, Report>(
  script: URL,
  { data, count, jobs }: { readonly data: Data; readonly count: number; readonly jobs: number },
  onReport: (report: Report) => void,
): Promise<boolean> {
  const share: Share<Data> = {
    data,
    count,
    begun: new Uint32Array(new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT)),
  };
  let isWell = true;
  const thread = () => {
    const worker = new Worker(script, { workerData: share });
    worker.on('message', onReport);
    return new Promise<number>((resolve) => worker.on('exit', resolve));
  };
  const playAll = async () => {
    while ((share.begun[0] ?? 0) < count && isWell) if ((await thread()) !== 0) isWell = false;
  };
  await Promise.all(Array.from({ length: jobs }, playAll));
  return isWell;
}
