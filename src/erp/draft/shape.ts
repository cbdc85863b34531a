/** Every source of a draft is read into this: collections of rows, with the fields of a row. Pure. */

export type FieldType = 'text' | 'whole' | 'decimal' | 'float' | 'flag' | 'time' | 'list' | 'unknown';

export interface Field {
  /** The place in a row: the name of a column, or the names down to a nested value. */
  readonly path: readonly string[];
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Whether it is the key of its collection, by the source's own word. */
  readonly isKey: boolean;
  /** null: nothing is known. */
  readonly unique: boolean | null;
  /** Values that were seen or documented, as text. */
  readonly samples: readonly string[];
  /** The field of another collection that it refers to. */
  readonly refersTo: { readonly collection: string; readonly field: string } | null;
  /** The fields of the elements of a list. */
  readonly fields: readonly Field[];
}

/** @param Place what a writer has to know of where the rows come from */
export interface Collection<Place = unknown> {
  readonly name: string;
  /** As a comment names it: `GET /v1/products`, `table artikel`. */
  readonly shown: string;
  readonly fields: readonly Field[];
  /** How many rows were looked at. */
  readonly rows: number;
  readonly place: Place;
}

/** The part of a source that was read. */
export interface Contents<Place> {
  readonly collections: readonly Collection<Place>[];
  /** The parts that were left out because the source is too large, as lines for a person to decide. */
  readonly cut: readonly string[];
}

/** The source cannot be read as anything that a draft is made of. */
export class DraftFault extends Error {
  override readonly name = 'DraftFault';
}

export const BOUNDS = {
  /** Rows that are looked at for each collection. */
  rows: 50,
  /** The most collections whose fields are read, the likeliest names first. */
  collections: 200,
  fields: 300,
  /** Values that are kept of a field, and the characters of one. */
  samples: 50,
  characters: 60,
  /** Objects inside each other. */
  depth: 6,
} as const;

export const nameOf = ({ path }: Field): string => path.join('.');

/**
 * A name in words: `ArtikelNr` and `ARTIKEL_NR` are `artikel nr`, and `Größe` is `groesse`. A language without capitals or marks
 * between words is one word.
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

/** A field of nothing but its place, for readers that add what they know. */
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
