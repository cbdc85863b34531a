import { Decimal, type Figure, figure } from '../../src/domain/decimal.ts';
import type { Units } from '../../src/domain/units.ts';

/** The decimal as a figure in whatever terms its place has. */
export function exact(value: ConstructorParameters<typeof Decimal>[0]): Figure<never> {
  return figure(new Decimal(value));
}

/** The documents' meaning: a price is that of a case, and everything else counts units. */
export const IN_UNITS: Units = {
  marketplace: { pricePer: 'case', stockIn: 'units', linesIn: 'units' },
  erp: { pricePer: 'unit', stockIn: 'units', linesIn: 'units' },
};

/** As above, with order lines on the marketplace that count cases. */
export const LINES_IN_CASES: Units = {
  ...IN_UNITS,
  marketplace: { ...IN_UNITS.marketplace, linesIn: 'cases' },
};
