import { afterAll, beforeAll, expect, test } from 'vitest';
import { needing } from '../support/needing.ts';
import { playOnPostgres } from './disk-on-postgres.ts';
import { playStory } from './story.ts';

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

needing('postgres').describe('stories on a real PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof playOnPostgres>>;
  beforeAll(async () => {
    server = await playOnPostgres();
  });
  afterAll(() => server.close());

  test.each([1, 2] as const)('the stories on PostgreSQL break no law, with %i at work', async (workers) => {
    for (const seed of SEEDS) expect(await playStory(seed, { workers })).toMatchObject({ seed, broken: [] });
  });
});
