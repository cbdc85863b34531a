/** All sources of a draft are read into this form: collections of rows with fields. Pure. */

export type FieldType = 'text' | 'whole' | 'decimal' | 'float' | 'flag' | 'time' | 'list' | 'unknown';

export interface Field {
  /** The column name, or the names that lead to a nested value. */
  readonly path: readonly string[];
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Whether the source declares it a key. */
  readonly isKey: boolean;
  /** null: unknown. */
  readonly unique: boolean | null;
  /** Seen or documented values, as text. */
  readonly samples: readonly string[];
  readonly refersTo: { readonly collection: string; readonly field: string } | null;
  readonly fields: readonly Field[];
}

/** @param Place what a writer must know about where the rows come from */
export interface Collection<Place = unknown> {
  readonly name: string;
  /** The name in comments: `GET /v1/products`, `table artikel`. */
  readonly shown: string;
  readonly fields: readonly Field[];
  readonly rows: number;
  readonly place: Place;
}

export interface Contents<Place> {
  readonly collections: readonly Collection<Place>[];
  /** The parts left out of a source that is too large, as notes for a person. */
  readonly cut: readonly string[];
}

/** The source cannot be read, or not be drafted from. */
export class DraftFault extends Error {
  override readonly name = 'DraftFault';
}

export const BOUNDS = {
  rows: 50,
  collections: 200,
  fields: 300,
  /** The most values kept of a field, and the most characters of a value. */
  samples: 50,
  characters: 60,
  depth: 6,
} as const;

export const nameOf = ({ path }: Field): string => path.join('.');

/**
 * A name as words: `ArtikelNr` and `ARTIKEL_NR` become `artikel nr`, `Größe` becomes `groesse`. A name without capitals
 * or separators is one word.
 */
export function words(name: string): string {
  return name
    .slice(0, 200)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A field with only its path and what the reader adds. */
export function field(path: readonly string[], known: Partial<Field> = {}): Field {
  return {
    path,
    type: 'unknown',
    nullable: false,
    isKey: false,
    unique: null,
    samples: [],
    refersTo: null,
    fields: [],
    ...known,
  };
}
