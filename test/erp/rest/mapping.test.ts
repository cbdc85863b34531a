import { expect, it } from 'vitest';
import { compileMapping, type MappingSection } from '../../../src/erp/rest/mapping.ts';
import { parseJson } from '../../../src/http/json.ts';
import { Unfit } from '../../../src/http/rows.ts';

const map = (section: MappingSection, rows: readonly unknown[], settings: unknown = {}) =>
  compileMapping(section, { names: ['settings'], place: (path) => `erp.yaml:7:3: ${path.join('.')}` }).rows(
    rows.map((row) => ({ row })),
    { settings },
  );

it('a mapping makes rows field by field, keeps every digit, and leaves out what is missing', async () => {
  const rows = [parseJson('{"no": 7, "price": 12.5000, "big": 90071992547409931234.56}'), { no: 8 }];
  const row = {
    id: '$string(no)',
    price: { amount: 'price', currency: '$settings.currency' },
    big: 'big',
    active: true,
  };
  expect(await map({ row }, rows, { currency: 'USD' })).toEqual([
    { id: '7', price: { amount: '12.5000', currency: 'USD' }, big: '90071992547409931234.56', active: true },
    { id: '8', price: { currency: 'USD' }, active: true },
  ]);
});

it('a mapping makes rows of the parts of a row, leaves out excluded ones, and keeps a list of one a list', async () => {
  const rows = [
    { no: 1, variants: [{ sku: 'A' }, { sku: 'B', old: true }] },
    { no: 2, variants: [{ sku: 'C' }] },
    { no: 3, variants: [] },
  ];
  const row = { id: '$row.no & "-" & sku', lines: '$row.variants.{"sku": sku}' };
  expect(await map({ each: 'variants', where: '$not(old = true)', row }, rows)).toEqual([
    { id: '1-A', lines: [{ sku: 'A' }, { sku: 'B' }] },
    { id: '2-C', lines: [{ sku: 'C' }] },
  ]);
});

it('a mapping sets a failing row aside, with its name, place, expression and error', async () => {
  const rows = Array.from({ length: 150 }, (_, no) => ({ no, units: no === 120 ? 'many' : no }));
  const mapped = await map({ row: { id: '$string(no)', price: { amount: '$number(units) + 1' } } }, rows);
  expect(mapped).toHaveLength(150);
  expect(mapped[119]).toEqual({ id: '119', price: { amount: 120 } });
  expect(mapped[120]).toBeInstanceOf(Unfit);
  expect(mapped[120]).toMatchObject({ row: { id: '120' }, path: 'price.amount' });
  expect((mapped[120] as Unfit).problem).toMatch(
    /^erp\.yaml:7:3: row\.price\.amount: \$number\(units\) \+ 1 fails: .*: Unable to cast value to a number/,
  );
});

it('a mapping that fails for every row ends in bounded time, with every row known by its id', async () => {
  const rows = Array.from({ length: 2_000 }, (_, no) => ({ no }));
  const mapped = await map({ row: { id: '$string(no)', name: '$error("no")', sku: '"S" & no' } }, rows);
  expect(mapped.map((one) => (one as Unfit).row)).toEqual(rows.map(({ no }) => ({ id: `${no}`, sku: `S${no}` })));
});

it('a mapping accepts values of a single row and values that could not be checked', async () => {
  const { rows } = compileMapping(
    { row: { id: 'no', lines: '$lines.{"sku": s}' } },
    { names: [], rowNames: ['lines'] },
  );
  const unfit = new Unfit('it is too large', { id: 'X' });
  const raw = [{ row: { no: 1 }, given: { lines: [{ s: 'A' }] } }, { row: unfit }, { row: { no: 2 }, given: {} }];
  expect(await rows(raw, {})).toEqual([{ id: 1, lines: [{ sku: 'A' }] }, unfit, { id: 2 }]);
});

it('a mapping takes seconds for 10,000 rows', async () => {
  const rows = Array.from({ length: 10_000 }, (_, no) => ({
    no,
    code: `S${no}`,
    name: `Product ${no}`,
    price: '1.25',
  }));
  const row = {
    id: '$string(no)',
    sku: 'code',
    name: 'name',
    price: { amount: 'price', currency: '"USD"' },
    deleted: false,
  };
  const began = performance.now();
  const mapped = await map({ row }, rows);
  expect(mapped).toHaveLength(10_000);
  expect(mapped.at(-1)).toMatchObject({ id: '9999', price: { amount: '1.25' } });
  expect(performance.now() - began).toBeLessThan(20_000);
});
