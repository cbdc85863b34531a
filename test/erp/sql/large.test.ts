import { afterAll, expect, it } from 'vitest';
import { failureOf } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, openForeign, sectionOf, startForeign } from './foreign.ts';

/** A text of this length in each of 500 rows is 1.5 GB. */
const LENGTH = 3_000_000;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`what ${engine} answers without end`, () => large(engine));
}

async function large(engine: Engine): Promise<void> {
  const database = await startForeign(engine, 600);
  afterAll(() => database.stop());

  it('a database that answers with too many rows is reported, and fills no memory', async () => {
    const section = sectionOf(engine, database.port, ({ lists }) => {
      const products = lists['products'] ?? { query: '' };
      products.query = products.query.replace('bez', `repeat('x', ${LENGTH})`);
    });
    const erp = await openForeign(section);
    const before = process.memoryUsage().rss;
    const failure = await failureOf(Array.fromAsync(erp.listProducts(null)));
    expect(failure).toMatchObject({
      kind: 'invalid-answer',
      message: expect.stringContaining('more than 67108864 bytes'),
    });
    expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(600);
    // The next call has a connection of its own.
    expect(await erp.ping()).toMatchObject({ version: expect.any(String) });
    await erp.close();
  });
}
