import type { Handler } from '../call.ts';
import { LISTING_STATES } from '../products.ts';
import { wholeList } from '../whole-list.ts';

const GROW_OPERATION_TYPES = ['Greenhouse', 'Indoor', 'Mixed Light', 'Outdoor'];

/** Spec 2, Grow operation type, listing state: {value, display_value}, all at once. */
export const choiceHandlers: Readonly<Record<string, Handler>> = {
  'grow-operation-types.list': choices(GROW_OPERATION_TYPES, (name) => name.toLowerCase().replaceAll(' ', '_')),
  'listing-states.list': choices([...LISTING_STATES], (name) => name),
};

function choices(names: readonly string[], valueOf: (name: string) => string): Handler {
  return (_market, { query: { search = '' }, window }) => {
    const found = names.filter(
      (name) => typeof search === 'string' && name.toLowerCase().includes(search.toLowerCase()),
    );
    return wholeList(
      found.map((name) => ({ value: valueOf(name), display_value: name })),
      window.ordering,
    );
  };
}
