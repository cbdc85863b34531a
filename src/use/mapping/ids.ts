import type { MappingKind as Kind } from '../../store/links.ts';

export const KINDS = ['product', 'order', 'customer', 'payment', 'batch'] as const satisfies readonly Kind[];
export type MappingKind = (typeof KINDS)[number];

export function isKind(text: string): text is MappingKind {
  return KINDS.some((kind) => kind === text);
}

const ID_MAX = 200;

/** Why this is no marketplace id; null: it may be one. All but orders have numbers (spec 1 and 2). */
export function marketplaceIdProblem(kind: MappingKind, id: string): string | null {
  if (kind === 'order') return textProblem('marketplace id', id);
  if (/^[1-9]\d{0,14}$/.test(id)) return null;
  return `the marketplace id "${id}" of a ${kind} is not a whole number`;
}

export function erpIdProblem(id: string): string | null {
  return textProblem('ERP id', id);
}

function textProblem(what: string, id: string): string | null {
  if (id === '') return `the ${what} is missing`;
  // Half a surrogate pair would be stored as another character.
  if (!id.isWellFormed()) return `the ${what} "${id}" holds half a character`;
  if (id !== id.trim()) return `the ${what} "${id}" has blanks around it`;
  return id.length > ID_MAX ? `the ${what} is longer than ${ID_MAX} characters` : null;
}
