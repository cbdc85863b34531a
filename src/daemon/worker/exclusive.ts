export function createExclusive() {
  const lines = new Map<string, Promise<void>>();

  return async function exclusively<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const mine = [...new Set(keys)];
    const before = mine.map((key) => lines.get(key) ?? Promise.resolve());
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    // All keys are taken at once, so two callers never wait for each other.
    for (const key of mine) lines.set(key, done);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      release();
      for (const key of mine) if (lines.get(key) === done) lines.delete(key);
    }
  };
}
