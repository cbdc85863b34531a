import { afterAll, beforeAll, expect, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { newSchema, stopPostgres } from '../../support/postgres.ts';
import { run } from '../capture.ts';
import { installCopy, openPlace, type Place, verbsOf } from './plant.ts';
import { ROWS, type Row, type StoreKind } from './rows.ts';

const LIMIT_MS = 1_800_000;
let copy: ReturnType<typeof installCopy>;
beforeAll(() => {
  copy = installCopy();
});
afterAll(async () => {
  copy.remove();
  await stopPostgres();
});

test('every verb of the program is in the table', async () => {
  const verbs = await verbsOf(async (path) => (await run([...path, '--help'])).stdout);
  const typed = new Set(ROWS.map(({ verb }) => verb));
  expect(verbs.filter((verb) => !typed.has(verb)).map((verb) => `add a row for "${verb}" to rows.ts`)).toEqual([]);
  expect([...typed].filter((verb) => !verbs.includes(verb)).map((verb) => `"${verb}" is no verb`)).toEqual([]);
});

const MISTAKE = /^\s+at .+:\d+:\d+\)?$|unsettled top-level await|UnhandledPromiseRejection|DeprecationWarning/m;

/** The rows that did not end as the table says, each with its output. */
async function typeAll(place: Place, store: StoreKind): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of ROWS) {
    const { code, output } = await place.type(commandOf(row), row.input, row.until);
    const expected = typeof row.code === 'number' ? row.code : row.code[store];
    if (code === expected && !MISTAKE.test(output)) continue;
    wrong.push(`${commandOf(row)}: exit code ${code}, and the table has ${expected}\n${output.slice(-1_500)}`);
  }
  return wrong;
}

function commandOf({ verb, words = '' }: Row): string {
  return `exec stockbridge ${words.includes('--config') ? '' : '--config stockbridge.yaml '}${verb} ${words}`;
}

test('typed in a shell on SQLite, every verb ends with its exit code', {
  timeout: LIMIT_MS,
  concurrent: true,
}, async () => {
  const place = await openPlace(copy.launcher);
  try {
    place.configure('{ dir: data }');
    place.configure('{ dir: data }', 'back.yaml');
    expect(await typeAll(place, 'sqlite')).toEqual([]);
  } finally {
    await place.close();
  }
});

const onPostgres = needing('postgres');
onPostgres.test(
  'typed in a shell on PostgreSQL, every verb ends with its exit code, and everything is copied to SQLite and back',
  { timeout: LIMIT_MS, concurrent: true },
  async () => {
    const [first, second] = [await newSchema(), await newSchema()];
    const place = await openPlace(copy.launcher);
    try {
      place.configure(`{ dir: data, store: postgres, postgres: "${first.url}" }`);
      place.configure(`{ dir: data, store: sqlite, postgres: "${second.url}" }`, 'back.yaml');
      expect(await typeAll(place, 'postgres')).toEqual([]);
    } finally {
      await place.close();
      await first.drop();
      await second.drop();
    }
  },
);
