import { CALL_FAULTS } from './network.ts';
import { SIDE_FAULTS } from './side-faults.ts';

const KINDS = [
  ...CALL_FAULTS.flatMap((fault) => [`marketplace ${fault}`, `erp ${fault}`]),
  ...SIDE_FAULTS,
  'clocks apart',
  'row from the future',
  'killed at an effect',
  'killed between effects',
  'queue wiped',
  'approved',
  'answers of id',
  'answers of inventory',
];

/** What can go wrong in a story, and did in none of them. */
export function neverStruck(struck: ReadonlyMap<string, number>): string[] {
  return KINDS.filter((kind) => (struck.get(kind) ?? 0) === 0);
}
