/**
 * Stores deliveries that arrive together in one commit. Each caller gets the result of its own item once the batch is durable.
 * When the batch fails, all its callers get the failure. The callers bound the queue: each waits for its answer.
 */
export function createBatches<Item, Result>(
  store: (items: readonly Item[]) => Promise<readonly Result[]>,
  maxItems: number,
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxItems);
      queue = queue.slice(maxItems);
      try {
        const results = await store(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    draining = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (draining) return;
      draining = true;
      // This runs after the requests that are being read in this turn of the loop.
      setImmediate(() => void drain());
    });
}
