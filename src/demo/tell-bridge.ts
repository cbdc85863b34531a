import { isLink, withoutBrake } from '../domain/action.ts';
import type { Facts } from '../logging/logging.ts';
import type { JournalEvent } from '../store/record.ts';
import { dollars, short, type Tell } from './tell.ts';

/**
 * Shows the daemon's writes and their results.
 * @param nameOf a customer's name by marketplace id
 */
export function tellBridge(tell: Tell, nameOf: NameOf): (entry: JournalEvent) => void {
  return (entry) => {
    const isLinked = entry.outcome === 'noted' && (entry.adopted !== undefined || isLink(entry.action));
    if (entry.outcome === 'written' || isLinked) {
      const text = (SENTENCES[withoutBrake(entry.action)] ?? plain)(entry, nameOf);
      if (text !== null) tell('bridge', text);
    } else if (entry.outcome === 'unknown') {
      tell(
        'bridge',
        `cannot tell whether ${entry.target} was written (${reason(entry)}): looks first, then tries again`,
      );
    } else if (entry.outcome === 'refused') {
      tell('bridge', `did not get through with ${entry.target} (${reason(entry)})`);
    } else if (entry.action === 'alert') {
      tell('bridge', `warns of ${short(entry.key)}: ${entry.why}`);
    }
  };
}

type NameOf = (customer: number) => string;
type Sentence = (entry: JournalEvent, nameOf: NameOf) => string | null;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'product.create': ({ target, answer, adopted }) =>
    adopted === undefined
      ? `creates ${target}: ${answer}`
      : `${adopted} is there already: adopts it, so that there is no second`,
  'product.link': ({ target, why }) => `adopts ${target}: ${why}`,
  'product.patch': ({ target, action }) =>
    `brings ${target} up to date${action.endsWith(':price') ? ': its price' : ''}`,
  'product.archive': ({ target, why }) => `archives ${target}: ${why}`,
  'customer-in.create': ({ target, answer, adopted }, nameOf) => {
    const name = nameOf(Number(/\d+/.exec(target)?.[0]));
    return adopted === undefined ? `enters ${name} in the ERP: ${answer}` : `finds ${name} in the ERP: ${adopted}`;
  },
  'order-in.link': ({ key, adopted }) => alreadyThere(key, adopted),
  'order-in.create': ({ key, answer, after, adopted }) =>
    adopted === undefined ? `exports ${short(key)} as ${answer}, ${exported(after ?? '')}` : alreadyThere(key, adopted),
  'order-in.update': ({ target, why }) => `changes ${shorter(target)}: ${why}`,
  'order-in.transition': ({ key, after, why }) => `moves ${short(key)} to ${after}: ${why}`,
  'order-out.create': ({ key, answer, adopted }) =>
    adopted === undefined
      ? `enters ${key} on the marketplace as ${shorter(answer)}`
      : `finds ${key} on the marketplace already: ${shorter(adopted)}`,
  // Other lines show the rest: the stock lines, and the external id at the end of an export.
  'stock.write': ({ target, after }) => {
    const [, listing] = /^(.*\)) .*, back from the archive$/.exec(target) ?? [];
    return listing === undefined ? null : `brings back ${listing} with what there is: ${after}`;
  },
  'order-in.mark': () => null,
};

function alreadyThere(order: string, erpOrder = 'an ERP order'): string {
  return `finds ${short(order)} in the ERP already (${erpOrder}): no second one is made`;
}

function plain({ action, target, after }: JournalEvent): string {
  return `${action} ${target}${after === null ? '' : `: ${after}`}`;
}

/** "reserved: 12 x SB-0001 at 5.00 USD; total 60.00 USD" becomes "reserved, $60.00". */
function exported(after: string): string {
  const [, status, total] = /^(\w+): .*; total ([\d.,]+) /.exec(after) ?? [];
  return status === undefined || total === undefined ? after : `${status}, ${dollars(total.replaceAll(',', ''))}`;
}

const NUMBER = /\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g;

function shorter(text: string): string {
  return text.replace(NUMBER, '$1');
}

const MAX_REASON = 120;

function reason({ answer }: JournalEvent): string {
  return answer.length > MAX_REASON ? `${answer.slice(0, MAX_REASON)}…` : answer;
}

const SAME_AGAIN_MS = 10_000;
const MAX_SHOWN = 200;

/** Shows the log's warnings that the journal does not show. */
export function tellLog(tell: Tell): (words: string, facts: Facts) => void {
  const toldAtMs = new Map<string, number>();
  return (words, { err, action, attempt, key }) => {
    // The journal shows failed writes, the screen held entities.
    if (action !== undefined || attempt !== undefined || (key !== undefined && err === undefined)) return;
    const text = (err instanceof Error ? `${words}: ${err.message}` : words).slice(0, MAX_SHOWN);
    const nowMs = performance.now();
    if (nowMs - (toldAtMs.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_AGAIN_MS) return;
    toldAtMs.set(text, nowMs);
    tell('trouble', `the bridge says: ${text}`);
  };
}
