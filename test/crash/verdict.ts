import type { Ended } from './daemon-process.ts';
import type { WriteCall } from './sides-process.ts';

/** For each kind of call, the journal's actions that may be its reason. */
const REASONS: readonly { readonly call: RegExp; readonly actions: readonly string[] }[] = [
  { call: /^POST \/api\/v2\/products\/ /, actions: ['product.create'] },
  { call: /^PATCH \/api\/v2\/products\/\d+\/ .*"(quantity|available_inventory)"/, actions: ['stock.write'] },
  { call: /^PATCH \/api\/v2\/products\/\d+\/ /, actions: ['product.patch', 'product.archive', 'product.restore'] },
  { call: /^POST \/api\/v2\/orders-received\/ /, actions: ['order-out.create'] },
  { call: /^PATCH \/api\/v2\/orders-received\/[^/]+\/ /, actions: ['order-in.mark'] },
  { call: /^POST \/api\/v2\/orders-received\/[^/]+\/[\w/]+\/ /, actions: ['order-in.transition'] },
  { call: /^POST \/v1\/orders /, actions: ['order-in.create'] },
  { call: /^PATCH \/v1\/orders\/\S+ /, actions: ['order-in.update'] },
  { call: /^POST \/v1\/products /, actions: ['product-in.create'] },
  { call: /^POST \/v1\/customers /, actions: ['customer-in.create'] },
];

/** Outcomes of writes that were sent, or may have been. */
const SENT = new Set(['sent', 'written', 'refused', 'unknown']);

export interface Evidence {
  /** Every write that reached a side. */
  readonly writes: readonly WriteCall[];
  /** The writes of the last pass, which should find nothing to do. */
  readonly further: readonly string[];
  readonly ended: Ended;
}

/** The problems after a crash, apart from differences between the two sides. */
export function problemsOf({ writes, further, ended }: Evidence): string[] {
  const { pending, journal, left, holes } = ended;
  const problems = [...left, ...holes, ...offRecord(writes, journal)];
  if (further.length > 0) problems.push(`a further pass writes: ${further.join('; ')}`);
  if (pending > 0) problems.push(`${pending} keys are left pending`);
  return problems;
}

/** Kinds of writes with fewer entries on record than writes that were sent. */
function offRecord(writes: readonly WriteCall[], journal: Ended['journal']): string[] {
  const kinds = Map.groupBy(writes, (write) => {
    const text = `${write.method} ${write.path} ${write.body}`;
    return REASONS.find(({ call }) => call.test(text))?.actions ?? [];
  });
  return [...kinds].flatMap(([actions, sent]) => {
    const recorded = journal.filter(({ action, outcome }) => {
      const kind = action.split(':')[0] ?? action;
      return actions.includes(kind) && SENT.has(outcome);
    });
    if (recorded.length >= sent.length) return [];
    const calls = sent.map(({ side, method, path }) => `${side} ${method} ${path}`);
    return [`${sent.length} writes, ${recorded.length} of them on record: ${calls.join('; ')}`];
  });
}
