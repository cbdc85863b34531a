import { describe, expect, it } from 'vitest';
import { CellError, createMapping, plainColumn } from '../../../src/erp/rows/mapping.ts';
import { Unfit } from '../../../src/http/rows.ts';

describe('a mapping makes rows of the contract:', () => {
  it('a mapping makes rows of the contract from columns, expressions and constants, at any depth', async () => {
    const mapping = createMapping({
      sku: '`Art-Nr`',
      name: '$trim(Name)',
      active: true,
      price: { amount: 'Preis', currency: '"EUR"' },
    });
    expect(mapping.columns).toEqual(['Art-Nr', 'Preis']);
    expect(mapping.fields.has('price.amount')).toBe(true);
    expect(await mapping.map([{ 'Art-Nr': 'A-1', Name: ' Äpfel ', Preis: '1.50' }])).toEqual([
      { sku: 'A-1', name: 'Äpfel', active: true, price: { amount: '1.50', currency: 'EUR' } },
    ]);
  });

  it('a row on which a rule or a cell fails is set aside with its place, and the others are read', async () => {
    const mapping = createMapping({ sku: 'Nr', amount: 'Preis', twice: 'Nr * 2' });
    const cell = (value: unknown, field: string) => {
      if (field === 'amount' && value === 'x') throw new CellError('"x" is no number');
      return value;
    };
    const rows = [
      { Nr: 1, Preis: '1' },
      { Nr: 'A', Preis: '1' },
      { Nr: 2, Preis: 'x' },
    ];
    const [good, failed, wrong] = await mapping.map(rows, cell);
    expect(good).toEqual({ sku: 1, amount: '1', twice: 2 });
    expect(failed).toBeInstanceOf(Unfit);
    expect((failed as Unfit).problem).toMatch(/^twice: .*\(in Nr \* 2\)$/);
    expect((wrong as Unfit).problem).toBe('amount: "x" is no number');
  });

  it('a field without a value is left out, not made null', async () => {
    const mapping = createMapping({ sku: 'Nr', place: { location: 'Ort' } });
    expect(await mapping.map([{ Nr: 'A' }])).toEqual([{ sku: 'A' }]);
  });

  it('a plain name in a mapping is a column, anything else is an expression', () => {
    expect(['Straße', '`a b`', 'a.b', 'true', 'a + 1', '"a"'].map(plainColumn)).toEqual([
      'Straße',
      'a b',
      null,
      null,
      null,
      null,
    ]);
  });
});
