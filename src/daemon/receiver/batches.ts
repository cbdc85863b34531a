/**
 * Commits deliveries that arrive together at once. Each caller gets its own item's result once the batch is durable, or
 * the batch's failure. The queue is bounded, because each caller waits.
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
      setImmediate(() => void drain());
    });
}
