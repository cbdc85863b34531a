import { isAlteredForm } from '../../src/domain/reference.ts';
import type { HeldEntity } from '../support/held.ts';
import { createActed } from '../world/acted.ts';
import type { Names } from './names.ts';
import type { Approved } from './operator.ts';
import type { Written } from './record.ts';
import type { Reply, Request, Sides } from './sides.ts';

/** The thing that a difference speaks of. */
const SUBJECTS: readonly RegExp[] = [
  /^ERP order (\S+) is \S+ for order/,
  /^(?:ERP )?order (\S+) /,
  /^the ERP has (\S+) twice$/,
  /^(.+?)(?:: buyers can take| is (?:not )?(?:listed|sold)| costs) ?/,
];
/** Figures of stock and orders have laws of their own. */
const OTHERS =
  /^(?:marketplace products\/\d+\/(?:quantity|archived|listing_state)|erp products\/\d+\/on_hand|\S+ orders\/)/;
/** A link that the program restores is noted in the journal. */
const LINK = /^marketplace products\/(\d+)\/external_ids\//;
const ERP_IDS: Readonly<Record<string, string>> = { products: 'P', orders: 'SO', customers: 'C', payments: 'PAY' };

/**
 * I6 and I16, where people do what the table of the world says. A difference may stay, and a change of theirs may be undone, only when a
 * person is told of it, by a cause that names the thing by any name that it has had.
 */
export function createToldLaw(sides: Sides, names: Names) {
  const acted = createActed();
  /** The listings whose link an operator let move. */
  const moved = new Set<string>();
  /** By the id of the ERP: the number of each order that the program entered. */
  const made = new Map<string, string>();

  const isTold = (subject: string, held: readonly HeldEntity[]): boolean => {
    const all = names.around(subject);
    return held.some(({ flow, key, causes }) =>
      wordsOf(`${flow.split('-')[0]} ${key} ${JSON.stringify(causes)}`).some((word) => all.has(word)),
    );
  };

  const isIn = (subject: string, alerts: readonly string[]): boolean => {
    const all = names.around(subject);
    return alerts.some((why) => wordsOf(why).some((word) => all.has(word)));
  };
  /** The lines, each with all names of its product. */
  const productsIn = (lines: string): string =>
    lines
      .split(',')
      .map((line) => {
        const [, sku = '', quantity = ''] = /^(.*) (\S+)$/.exec(line) ?? [];
        return `${[...names.around(sku)].toSorted().join(' ')} ${quantity}`;
      })
      .toSorted()
      .join();

  /** Differences that are none. */
  const isSettled = (difference: string): boolean => {
    // An order that was entered while people renamed its product keeps the SKU of before in the ERP.
    const [, ours, theirs] = /^order \S+ has (.*), the ERP (.*)$/.exec(difference) ?? [];
    if (ours !== undefined && theirs !== undefined) return productsIn(ours) === productsIn(theirs);
    // An amended order that was cancelled later: a second order that the program entered is judged at once.
    const [, doubled] =
      /^(?:order (\S+) stands \d+ times in the ERP|the ERP has (\S+) twice)$/.exec(difference)?.filter(Boolean) ?? [];
    if (doubled !== undefined)
      return sides.erp.control.findOrders(doubled).every(({ status }) => status === 'cancelled');
    // The link is on record by the id of the ERP order, whatever reference people write on it.
    const [, renamed] = /^ERP order (\S+) is \S+ for order/.exec(difference) ?? [];
    const orders = sides.marketplace.orderContents();
    if (renamed !== undefined) return orders.some(({ number }) => names.around(renamed).has(number));
    // Nobody needs the id of an order that has ended.
    const [, marked] = /^order (\S+) carries/.exec(difference) ?? [];
    return orders.some(({ number, status }) => number === marked && ['Rejected', 'Canceled'].includes(status));
  };

  /** The changes of people that are undone, and that nobody is told of. */
  const undone = (held: readonly HeldEntity[], { written, alerts }: Journal): string[] =>
    acted
      .undone(sides)
      .map(({ text }) => text)
      .filter((line) => !OTHERS.test(line) && !isNoted(line, written))
      .filter((line) => !namesIn(line, sides).some((subject) => isTold(subject, held) || isIn(subject, alerts)))
      .map((line) => `I16: undone untold: ${line}`);
  const movedLinks = ({ relinked }: Journal): string[] =>
    relinked
      .filter((target) => !moved.has(target))
      .map((target) => `I11: nobody approved that the link of ${target} moved`);
  /** References that people or the ERP wrote otherwise. The order has to be there still. */
  const cutReferences = (held: readonly HeldEntity[]): string[] => {
    if (held.some(({ causes }) => causes.some(({ code }) => code === 'reference-differs'))) return [];
    const numbers = new Set(sides.marketplace.orderContents().map(({ number }) => number));
    return sides.erp.control.state().orders.flatMap(({ id, reference }) => {
      const sent = made.get(id);
      const differs = sent !== undefined && numbers.has(sent) && isAlteredForm(sent, reference) && sent !== reference;
      return differs ? [`references: ${sent} is ${reference} in the ERP, and nobody is told`] : [];
    });
  };

  return {
    by<Result>(act: () => Result): Result {
      const result = acted.by(sides, act);
      names.noteOrders();
      return result;
    },
    /** The SKU of a listing that is gone; undefined: it is there. */
    skuOf: (id: number): string | undefined =>
      sides.marketplace.products().some((one) => one.id === id) ? undefined : names.lastSku(id),
    isTold(difference: string, held: readonly HeldEntity[]): boolean {
      if (isSettled(difference)) return true;
      const subject = SUBJECTS.map((pattern) => pattern.exec(difference)?.[1]).find((found) => found !== undefined);
      return subject !== undefined && isTold(subject, held);
    },
    /** To be called after an order of the program was entered in the ERP. */
    entered({ body }: Pick<Request, 'body'>, reply: Pick<Reply, 'body'>): void {
      const { reference } = JSON.parse(body) as { reference: string };
      made.set((JSON.parse(reply.body) as { id: string }).id, reference);
    },
    /** An operator has approved these writes. */
    approved({ kind, items }: Approved): void {
      if (kind === 'relink') for (const { target } of items) moved.add(target);
    },
    /** Judges at the end. */
    judgeAll(held: readonly HeldEntity[], journal: Journal): string[] {
      return [...undone(held, journal), ...movedLinks(journal), ...cutReferences(held)];
    },
  };
}

interface Journal {
  readonly written: readonly Written[];
  /** The words of alerts, also of those that are over. */
  readonly alerts: readonly string[];
  /** The targets of links that moved. */
  readonly relinked: readonly string[];
}

function isNoted(line: string, written: readonly Written[]): boolean {
  const [, id] = LINK.exec(line) ?? [];
  return written.some(({ action, target }) => action === 'product.patch' && target.startsWith(`listing ${id} (`));
}

/** Ids, SKUs and numbers in a text. A bare number is a name only behind what it counts, and stands for nothing else. */
function wordsOf(text: string): string[] {
  const ids = [...text.matchAll(/\b(?:listing|customer|payment|there|other)s?\W{1,4}(\d+)\b/g)].map(
    ([, id = '']) => id,
  );
  return [...text.split(/[\s"',:;()[\]{}]+/).filter((word) => !/^\d+$/.test(word)), ...ids];
}

/** The names of the row of a changed value: `erp orders/7/status: ...`, `marketplace records/customers/2/fields/name: ...`. */
function namesIn(line: string, { tables }: Sides): string[] {
  const [, side, table = '', key = ''] = /^(\S+) (?:records\/)?([^/]+)\/([^/:]+)/.exec(line) ?? [];
  if (side === 'erp') return [`${ERP_IDS[table] ?? ''}-${key.padStart(6, '0')}`];
  if (table !== 'orders') return [key];
  const [order] = tables.marketplace.all<{ number: string }>('SELECT number FROM orders WHERE id = ?', Number(key));
  return order === undefined ? [key] : [order.number];
}
