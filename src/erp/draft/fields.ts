import type { FieldRule } from './roles.ts';
import { type Collection, type Field, words } from './shape.ts';
import { DECIDE } from './yaml.ts';

/** Decides which field of a collection plays which role, and why. Pure. */

export interface Found {
  readonly field: Field;
  /** "name matches sku; unique in 50 rows; e.g. A-100" */
  readonly evidence: string;
  /** Whether more than the name supports it. */
  readonly isTold: boolean;
}

/** A guess by the name alone is left to a person. */
export function whyOf({ isTold, evidence }: Found): string {
  return isTold ? evidence : `${DECIDE} only the name says so (${evidence})`;
}

/** A sample value, a key, a time or flag type, or the contract's own name supports a guess. */
function isToldBy(one: Field, role: string): boolean {
  const { samples, type, isKey, refersTo, fields, path } = one;
  if (samples.length > 0 || isKey || refersTo !== null || type === 'time' || type === 'flag') return true;
  if (words(path.join(' ')) === words(role)) return true;
  return fields.some((inner) => inner.samples.length > 0);
}

export type Fields = Readonly<Partial<Record<string, Found>>>;

/** Points for a name, by its pattern's place in the rule. */
export const POINTS = [6, 4, 2] as const;

export function fieldsFor(rules: Readonly<Record<string, FieldRule>>, { name, fields, rows }: Collection): Fields {
  const own = words(name);
  const found = Object.entries(rules).flatMap(([role, rule]) => {
    const scored = fields
      .flatMap((one) => {
        const points = pointsOf(rule, role, one, own);
        return points === null ? [] : [{ one, points }];
      })
      .sort((a, b) => b.points - a.points || a.one.path.length - b.one.path.length);
    const [best] = scored;
    return best === undefined
      ? []
      : [
          [
            role,
            { field: best.one, evidence: evidenceOf(rule, role, best.one, rows), isTold: isToldBy(best.one, role) },
          ] as const,
        ];
  });
  return Object.fromEntries(found);
}

function pointsOf(rule: FieldRule, role: string, one: Field, own: string): number | null {
  if (!rule.types.includes(one.type)) return null;
  const isOwnKey = role === 'id' && one.isKey;
  const named = namedAt(rule, one, own);
  if (named === null && !isOwnKey) return null;
  const unique = rule.unique !== true || one.unique === null ? 0 : one.unique ? 1 : -3;
  const points = (named === null ? 0 : (POINTS[named] ?? 0)) + unique + (isOwnKey ? 6 : 0);
  return points > 0 ? points : null;
}

/** The index of the pattern that fits the name: as it is, without wrapper objects, or without the collection's name. */
function namedAt({ names, never }: FieldRule, { path }: Field, own: string): number | null {
  const whole = words(path.join(' ')).replace(/^(node|attributes|fields|data) /, '');
  if (never?.test(whole)) return null;
  const short = whole.startsWith(`${own.replace(/s$/, '')} `) ? whole.slice(whole.indexOf(' ') + 1) : whole;
  const at = [whole, short]
    .map((name) => names.findIndex((pattern) => pattern.test(name)))
    .filter((index) => index >= 0);
  return at.length === 0 ? null : Math.min(...at);
}

function evidenceOf(rule: FieldRule, role: string, one: Field, rows: number): string {
  const named = namedAt(rule, one, '');
  const said = named === 0 ? `name matches ${role}` : named === null ? 'the key' : `name is like ${role}`;
  const seen = rule.unique !== true || one.unique === null ? null : uniqueText(one, rows);
  return [said, one.type === 'unknown' ? null : one.type, seen, exampleOf(one)]
    .filter((part) => part !== null)
    .join('; ');
}

function uniqueText({ unique }: Field, rows: number): string {
  if (unique !== true) return `not unique in ${rows} rows`;
  return rows === 0 ? 'unique' : `unique in ${rows} rows`;
}

function exampleOf({ samples }: Field): string | null {
  const [first] = samples;
  return first === undefined ? null : `e.g. ${first}`;
}
