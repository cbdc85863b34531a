/**
 * Makes one check after another: that of a password takes a tenth of a second of a processor, and 32 MiB. Too many at once would
 * slow the whole program.
 * @returns null when so many wait already
 */
export function createTurn(mostWaiting: number) {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return <T>(check: () => Promise<T>): Promise<T> | null => {
    if (waiting >= mostWaiting) return null;
    waiting += 1;
    const own = last.then(check).finally(() => waiting--);
    last = own.catch(() => {});
    return own;
  };
}
