import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { printAll } from '../../../src/cli/api/print.ts';
import type { ListPage } from '../../../src/marketplace/page.ts';

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Prints these pages. `asked` counts the pages that were taken. */
async function print(
  pages: readonly ListPage<unknown>[],
  { stdout = new Sink(), signal = AbortSignal.timeout(9_000) } = {},
) {
  const stderr = new Sink();
  let asked = 0;
  async function* all() {
    for (const page of pages) {
      asked += 1;
      yield page;
    }
  }
  await printAll(all(), { env: {}, stdout, stderr, secrets: [], exitCode: 0 }, signal);
  return { stdout: stdout.text, stderr: stderr.text, asked: () => asked };
}

const page = (raw: readonly unknown[], count: number, invalidRow = false): ListPage<unknown> => ({
  count,
  more: false,
  rows: invalidRow ? [] : raw,
  raw,
  invalidRows: invalidRow ? raw.map((row, index) => ({ index, id: null, path: 'id', message: 'no', raw: row })) : [],
});

test('invalid rows are printed as they came, in their place, and counted', async () => {
  const { stdout, stderr } = await print([
    page([{ id: 1 }], 3),
    page([{ id: 'x', more: [1] }], 3, true),
    page([{ id: 3 }], 3),
  ]);
  expect(stdout).toBe('{"id":1}\n{"id":"x","more":[1]}\n{"id":3}\n');
  expect(stderr).toBe('1 of 3 rows do not fit the documented shape; they are printed as they came\n');
});

test('missing or repeated rows are reported', async () => {
  const { stderr } = await print([page([1, 2], 5), page([3], 4)]);
  expect(stderr).toBe('3 rows were printed, and the marketplace counts 4: the list changed while it was read\n');
  expect((await print([page([], 0)])).stderr).toBe('');
});

test('no more pages are requested once the output is closed or a signal came', async () => {
  const gone = new Sink();
  gone.destroy();
  expect((await print([page([1], 2), page([2], 2)], { stdout: gone })).asked()).toBe(1);
  expect((await print([page([1], 2), page([2], 2)], { signal: AbortSignal.abort() })).asked()).toBe(1);
});
