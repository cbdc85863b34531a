import { type Fields, type Found, whyOf } from './fields.ts';
import { STATUS_WORDS } from './roles.ts';
import { type Field, words } from './shape.ts';
import { timeStyle } from './values.ts';
import { Commented, decide } from './yaml.ts';

/** JSONata rules for one row of JSON or files. Pure. */

const RESERVED = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** Replaces a missing figure, so that the row becomes invalid instead of zero. */
export const UNDECIDED = 'null';

export function expressionOf({ path }: Field): string {
  return path.map((part) => (/^[A-Za-z_]\w*$/.test(part) && !RESERVED.has(part) ? part : `\`${part}\``)).join('.');
}

export function isNameable({ path, fields }: Field): boolean {
  return path.every((part) => /^[^`\p{Cc}]{1,200}$/u.test(part)) && fields.every(isNameable);
}

/** The field of a role, or a placeholder with the reason. */
export function ruleOf(fields: Fields, role: string, otherwise: unknown): unknown {
  const found = fields[role];
  return found === undefined ? otherwise : new Commented(expressionOf(found.field), whyOf(found));
}

/** A figure that may be in cents. */
export function moneyOf(fields: Fields, role: string, otherwise: unknown): unknown {
  const found = fields[role];
  if (found === undefined) return otherwise;
  const text = expressionOf(found.field);
  return isCents(found.field)
    ? decide(`$divide(${text}, 100, 2)`, `whether it is in cents (${found.evidence})`)
    : new Commented(text, whyOf(found));
}

export function isCents({ path }: Field): boolean {
  return /(^| )cents?( |$)/.test(words(path.join(' ')));
}

const NO = /^(n|no|nein|0|f|false)$/i;
const YES = /^(j|ja|y|yes|1|t|true)$/i;

export function activeRule(fields: Fields): unknown {
  const { active, locked, status } = fields;
  const found = active ?? locked ?? status;
  if (found === undefined) return decide(true, 'which products are for sale; no field looks like it');
  const text = expressionOf(found.field);
  if (active === undefined && locked === undefined) return activeByStatus(found, text);
  if (found.field.type === 'flag') return new Commented(active === undefined ? `$not(${text})` : text, whyOf(found));
  const value = found.field.samples.find((sample) => (active === undefined ? NO : YES).test(sample));
  if (value === undefined) return decide(true, `which values of ${text} mean that it is for sale (${found.evidence})`);
  return new Commented(`$string(${text}) = ${JSON.stringify(value)}`, found.evidence);
}

/** The status value that most likely means "for sale"; null: none does. */
export function saleStatusIn({ type, samples }: Field): string | null {
  const named = samples.find((one) =>
    /^(active|aktiv|enabled|published|listed|live|on|for sale|sellable)$/.test(words(one)),
  );
  return named ?? (type === 'whole' ? '1' : null);
}

function activeByStatus({ field, evidence }: Found, text: string): unknown {
  const value = saleStatusIn(field);
  const question = `which values of ${text} mean that it is for sale (${evidence})`;
  return decide(value === null ? true : `$string(${text}) = ${JSON.stringify(value)}`, question);
}

export function deletedRule({ deleted }: Fields): unknown {
  if (deleted === undefined) return new Commented(false, 'no field looks like it');
  const text = expressionOf(deleted.field);
  switch (deleted.field.type) {
    case 'flag':
      return new Commented(text, whyOf(deleted));
    case 'whole':
      return new Commented(`${text} ? $string(${text}) != "0" : false`, whyOf(deleted));
    // Nothing, null and an empty cell are no time.
    case 'time':
      return new Commented(`${text} ? true : false`, whyOf(deleted));
    default: {
      const [yes, no] = [YES, NO].map((word) => deleted.field.samples.find((sample) => word.test(sample)));
      if (yes !== undefined) return new Commented(`$string(${text}) = ${JSON.stringify(yes)}`, deleted.evidence);
      if (no !== undefined)
        return new Commented(`$exists(${text}) and $string(${text}) != ${JSON.stringify(no)}`, deleted.evidence);
      return decide(`${text} ? true : false`, `which values of ${text} mean that it is deleted (${deleted.evidence})`);
    }
  }
}

export function timeRule(found: Found | undefined): unknown {
  if (found === undefined)
    return decide('$as_of', 'no field looks like the time of a change, so the list is read whole and compared');
  const { field, evidence } = found;
  const text = expressionOf(field);
  const style = timeStyle(field.samples);
  if (style === null) {
    if (field.type === 'time') return new Commented(text, whyOf(found));
    return decide(text, `how this time is written (${evidence})`);
  }
  switch (style.by) {
    case 'zoned':
      return new Commented(text, evidence);
    case 'local':
      return decide(`$instant(${text}, $settings.zone)`, `the zone in settings (${evidence})`);
    case 'pattern':
      return decide(`$instant(${text}, $settings.zone, "${style.pattern}")`, `the zone in settings (${evidence})`);
    case 'seconds':
      return decide(`$fromMillis($number(${text}) * 1000)`, `whether it counts seconds since 1970 (${evidence})`);
    case 'milliseconds':
      return decide(`$fromMillis($number(${text}))`, `whether it counts milliseconds since 1970 (${evidence})`);
  }
}

const OURS = ['draft', 'reserved', 'shipped', 'cancelled'];

/** The likely meaning of each sampled status. An unknown status keeps its name. */
export function statusMeanings({ samples }: Field): [seen: string, meaning: string][] {
  return samples.slice(0, 30).map((seen) => {
    const [meaning = `status ${seen}`] = STATUS_WORDS.find(([, word]) => word.test(words(seen))) ?? [];
    return [seen, meaning];
  });
}

export const STATUS_QUESTION = 'which statuses mean draft, reserved, shipped and cancelled';

export function isOurs({ samples }: Field): boolean {
  return samples.length > 0 && samples.every((one) => OURS.includes(one));
}

export function statusRule({ status }: Fields): unknown {
  if (status === undefined) return decide(UNDECIDED, `${STATUS_QUESTION}; no field looks like it`);
  const { field, evidence } = status;
  const text = expressionOf(field);
  if (isOurs(field)) return new Commented(text, evidence);
  if (field.samples.length === 0) return decide(text, `${STATUS_QUESTION} (${evidence})`);
  const table = JSON.stringify(Object.fromEntries(statusMeanings(field)));
  return decide(`$lookup(${table}, $string(${text}))`, `${STATUS_QUESTION} (${evidence})`);
}

/** Whether the program or a person made the order. */
export function originRule({ origin, reference }: Fields): unknown {
  if (origin?.field.samples.includes('marketplace')) return new Commented(expressionOf(origin.field), origin.evidence);
  const question = 'what tells the orders of the bridge from those of people';
  if (reference?.field.nullable !== true) return decide('"erp"', question);
  return decide(`${expressionOf(reference.field)} ? "marketplace" : "erp"`, question);
}

/** The marketplace's order number, or the ERP's own where the field is empty. */
export function referenceRule(fields: Fields): unknown {
  const { id, reference } = fields;
  const own = id === undefined ? UNDECIDED : expressionOf(id.field);
  if (reference === undefined) return decide(own, 'which field holds the number of the marketplace');
  const text = expressionOf(reference.field);
  return new Commented(
    reference.field.nullable && id !== undefined ? `${text} ? ${text} : $string(${own})` : text,
    whyOf(reference),
  );
}

export function currencyRule(fields: Fields, role: string, usual: string): unknown {
  return ruleOf(fields, role, decide(JSON.stringify(usual), 'the currency; no field tells it'));
}

export const MULTIPLIER_QUESTION =
  'how many ERP units make one case; no field tells it. Is the price that of a unit or of a case?';

/** The lines from a list inside the order's row. */
export function linesRule(list: Field | undefined, lines: Fields): unknown {
  if (list === undefined) return decide(UNDECIDED, 'where the lines of an order are; no field looks like them');
  const roles = ['sku', 'quantity', 'unit_price', 'shipped', 'given_up'].filter((role) => lines[role] !== undefined);
  const parts = roles.flatMap((role) => {
    const found = lines[role];
    return found === undefined ? [] : [`${JSON.stringify(role)}: ${expressionOf(found.field)}`];
  });
  const missing = ['sku', 'quantity', 'unit_price'].filter((role) => lines[role] === undefined);
  const text = `[${expressionOf(list)}.{${[...parts, ...missing.map((role) => `${JSON.stringify(role)}: ${UNDECIDED}`)].join(', ')}}]`;
  if (missing.length > 0) return decide(text, `the ${missing.join(' and ')} of a line; no field looks like it`);
  const why = roles.map((role) => `${role}: ${lines[role]?.evidence ?? ''}`);
  if (roles.some((role) => lines[role]?.isTold === false))
    return decide(text, `the fields of a line, which only their names tell (${why.join('; ')})`);
  return new Commented(text, ...why);
}
