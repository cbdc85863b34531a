import { parseJson } from '../../http/json.ts';
import type { FaultOf } from './fault.ts';
import type { Fields } from './wire-values.ts';

const NAMES = ['id', 'number'];
const INVENTORY = ['quantity', 'reserved_qty', 'available_inventory'];

/**
 * Spec 1, Endpoints: of a write's answer, only the inventory fields are shown. The answer of a create has the id as well.
 */
export function sparseAnswer(json: string, keep: FaultOf<'sparse-answer'>['keep'], isCreate: boolean): string {
  const kept = keep === 'id' ? NAMES : isCreate ? [...NAMES, ...INVENTORY] : INVENTORY;
  return JSON.stringify(
    Object.fromEntries(Object.entries(parseJson(json) as Fields).filter(([name]) => kept.includes(name))),
  );
}
