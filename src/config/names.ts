import type { z } from 'zod';
import { wordsMade } from '../expressions/words-made.ts';
import { ORDER_STATUSES } from '../marketplace/operations/orders.ts';
import {
  DOCUMENTED,
  LISTING_STATES,
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordKind,
} from '../marketplace/operations/record-names.ts';
import { type Loose, section } from './contradictions.ts';
import { unmade } from './products.ts';

/** Contradictions between a deployment's names and words. Every value here may be missing or of another type. */

type Context = z.core.$RefinementCtx;
type Report = (path: readonly (string | number)[], message: string) => void;

export function names(value: unknown, context: Context): void {
  for (const [name, account] of Object.entries(section(section(value)['accounts']))) {
    const report: Report = (path, message) =>
      context.addIssue({ code: 'custom', path: ['accounts', name, ...path], message });
    const { marketplace, products } = section(account);
    const { fields, statuses, discount_types: types, listing_states: states } = section(marketplace);
    for (const kind of RECORD_KINDS) places(kind, section(section(fields)[kind]), report);
    spellings(['marketplace', 'statuses'], ORDER_STATUSES, section(statuses), report);
    spellings(['marketplace', 'discount_types'], ['amount', 'percent'], section(types), report);
    spellings(['marketplace', 'listing_states'], LISTING_STATES, section(states), report);
    if (Object.keys(section(types)).length > 0 && section(section(fields)['order'])['discount_type'] === undefined) {
      report(
        ['marketplace', 'discount_types'],
        'needs marketplace.fields.order.discount_type: the field with the type',
      );
    }
    stateWords(section(section(products)['fields'])['listing_state'], section(states), report);
    listingFields(section(products), placesOfListing(section(section(fields)['product'])), report);
  }
}

/**
 * Two fields may not have the same place, nor may a field have the place of a documented field with another meaning. An
 * order often has one address in both places, which is allowed because it is only read.
 */
function places(kind: RecordKind, named: Loose, report: Report): void {
  const usual: Readonly<Record<string, string>> = RECORD_FIELDS[kind];
  const before = new Set<string>();
  for (const [setting, name] of Object.entries(usual)) {
    const place = named[setting];
    before.add(setting);
    if (typeof place !== 'string' || place === name) continue;
    const path = ['marketplace', 'fields', kind, setting];
    const isOther = (one: string): boolean =>
      one !== setting && named[one] === place && (usual[one] === place || before.has(one));
    const other = Object.keys(usual).find((one) => isOther(one) && !(isAddress(one) && isAddress(setting)));
    const means = Object.keys(usual).find((one) => usual[one] === place);
    if (other !== undefined) {
      report(path, `${place} is the field of marketplace.fields.${kind}.${other} already`);
    } else if (DOCUMENTED[kind].includes(place)) {
      report(path, `${place} is shown by the documents, and means ${means ?? 'something else'} there`);
    }
  }
}

const isAddress = (setting: string): boolean => setting.endsWith('_address');

/** Every value needs a word: a documented word that means another value here leaves its own value without one. */
function spellings(path: readonly string[], values: readonly string[], words: Loose, report: Report): void {
  for (const value of values) {
    const here = words[value];
    if (typeof here !== 'string' || here === value || Object.values(words).includes(value)) continue;
    report([...path, value], `${value} means ${here} here, and nothing is spelled for ${value} itself`);
  }
}

/** Listings are read with the documented words, so a rule that makes another word would differ for ever. */
function stateWords(rule: unknown, words: Loose, report: Report): void {
  for (const word of typeof rule === 'string' ? wordsMade(rule) : []) {
    const means = Object.hasOwn(words, word) ? words[word] : undefined;
    if (typeof means !== 'string' || LISTING_STATES.some((state) => state === word)) continue;
    report(
      ['products', 'fields', 'listing_state'],
      `${word} means ${means} here: write ${means}, which is sent as ${word}`,
    );
  }
}

/** The settings of `products` use the usual names of fields that have a setting of their own. */
function listingFields(products: Loose, placed: ReadonlyMap<string, string>, report: Report): void {
  const heads = new Map([...placed].map(([name, place]) => [place.split('.')[0] ?? '', name]));
  const { attributes } = products;
  const named = [
    ...['fields', 'create_fields', 'restore_fields'].flatMap((key) =>
      Object.keys(section(products[key])).map((field) => ({ path: ['products', key, field], field })),
    ),
    ...(Array.isArray(attributes) ? attributes : []).map((field: unknown, index) => ({
      path: ['products', 'attributes', index],
      field: String(field),
    })),
  ];
  for (const { path, field } of named) {
    const name = heads.get(field);
    if (name === undefined || placed.has(field)) continue;
    report(path, `marketplace.fields.product maps ${name} to ${String(placed.get(name))}: write ${name} here`);
  }
  const usual = new Map([...placed].map(([name, place]) => [place, name]));
  for (const { index, field } of unmade(products, usual)) {
    report(
      ['products', 'required', index],
      `${field} is made by nothing: give it in products.fields or products.create_fields`,
    );
  }
}

function placesOfListing(named: Loose): Map<string, string> {
  const moved = Object.entries(RECORD_FIELDS.product).flatMap(([setting, name]) => {
    const place = named[setting];
    return typeof place === 'string' && place !== name ? [[name, place] as const] : [];
  });
  return new Map(moved);
}
