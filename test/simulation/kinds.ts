import { CALL_FAULTS } from './network.ts';
import { SIDE_FAULTS } from './side-faults.ts';

export const KINDS = [
  ...CALL_FAULTS.flatMap((fault) => [`marketplace ${fault}`, `erp ${fault}`]),
  ...SIDE_FAULTS,
  'clocks apart',
  'row from the future',
  'field ignored',
  'settings taken back',
  'bad row',
  'backlog',
  'killed at an effect',
  'killed between effects',
  'queue wiped',
  'approved',
  'answers of id',
  'answers of inventory',
];

/** Events of daemons that share an account. */
export const OF_TWO = [
  'daemon stood still',
  'daemon stood still at an effect',
  'daemon cut off from the database',
  'daemon told to end',
];

/** The kinds of faults that struck in no story. */
export function neverStruck(struck: ReadonlyMap<string, number>, kinds: readonly string[] = KINDS): string[] {
  return kinds.filter((kind) => (struck.get(kind) ?? 0) === 0);
}
