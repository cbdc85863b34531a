import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, ONE } from '../../../src/domain/decimal.ts';
import { type LedgerLine, stockTarget } from '../../../src/domain/ledger.ts';
import { STRATEGIES } from '../../../src/domain/strategy.ts';
import { sumOfStock } from '../../../src/use/explain/stock.ts';
import { exact } from '../../support/units.ts';

const quantity = fc.integer({ min: -9_999_999, max: 99_999_999 }).map((units) => exact(exact(units).dividedBy(10_000)));
const line: fc.Arbitrary<LedgerLine> = fc.record({
  order: fc.constantFrom('o-1', 'o-2', null),
  quantity,
  effect: fc.constantFrom('reserved', 'consumed', 'none'),
  counted: fc.boolean(),
});

test('the sum of the explained lines is the figure that is written, whatever the ledger', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(STRATEGIES)),
      fc.constantFrom('quantity' as const, 'available_inventory' as const),
      quantity,
      quantity,
      fc.array(line, { maxLength: 12 }),
      ({ name: strategy }, field, available, buffer, lines) => {
        const erp = { onHand: null, reserved: null, available, asOf: '2026-01-01T00:00:00Z' };
        const rest = {
          statuses: new Map<string, string>(),
          shown: null,
          written: null,
          unitsIn: ONE,
          multiplier: null,
        };
        const sum = sumOfStock({ strategy, field, erp, buffer, lines, ...rest });
        const target = stockTarget(field, available, buffer, lines, ONE);
        const added = sum.lines.reduce((total, { adds }) => total.plus(adds), available.minus(buffer));
        expect([sum.figure, sum.available]).toEqual([target.value.toFixed(), target.available.toFixed()]);
        expect(Decimal.max(added, 0).toFixed()).toBe(target.value.toFixed());
      },
    ),
  );
});
