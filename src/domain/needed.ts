import { counted } from './counted.ts';

export interface Needed {
  readonly operator: number;
  readonly erp: number;
  readonly marketplace: number;
}

/** @param turns for each problem, who has to act */
export function neededOf(turns: readonly string[]): Needed {
  const of = (turn: keyof Needed) => turns.filter((one) => one === turn).length;
  return { operator: of('operator'), erp: of('erp'), marketplace: of('marketplace') };
}

const SIDES = { erp: 'the ERP', marketplace: 'the marketplace' } as const;

/**
 * `6 things need you`, `1 thing waits for the ERP`.
 * @param isKnown everything was read; if not, it is unknown whether nothing needs an action
 */
export function neededTexts(needed: Needed, isKnown: boolean): string[] {
  const { operator } = needed;
  const others = (['erp', 'marketplace'] as const).filter((side) => needed[side] > 0);
  const nothing = isKnown ? 'Nothing needs you' : 'Nothing is known to need you';
  return [
    operator === 0 ? nothing : `${counted(operator, 'thing')} ${operator === 1 ? 'needs' : 'need'} you`,
    ...others.map(
      (side) => `${counted(needed[side], 'thing')} ${needed[side] === 1 ? 'waits' : 'wait'} for ${SIDES[side]}`,
    ),
  ];
}
