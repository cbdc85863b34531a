/** Plain JSON values, by their names in expressions, without `$`. */
export type Given = Readonly<Record<string, unknown>>;

export interface Bundle {
  readonly texts: readonly string[];
  /** JSON. */
  readonly inputs: readonly string[];
  /** Indexes of a text, of its input, and of the values of its names, which are among the inputs. */
  readonly asked: readonly (readonly [text: number, input: number, given: number])[];
}

/** A value (absent if the expression finds nothing), or why it failed. */
export type Outcome = { readonly value?: unknown } | { readonly problem: string };

export interface Evaluation {
  readonly text: string;
  /** JSON. */
  readonly input: string;
  /** JSON: an object with the values of the names. */
  readonly given: string;
}

export function bundleOf(asks: readonly Evaluation[]): Bundle {
  const texts = new Map<string, number>();
  const inputs = new Map<string, number>();
  const placeIn = (places: Map<string, number>, one: string): number => {
    const place = places.get(one) ?? places.size;
    places.set(one, place);
    return place;
  };
  const asked = asks.map(
    ({ text, input, given }) => [placeIn(texts, text), placeIn(inputs, input), placeIn(inputs, given)] as const,
  );
  return { texts: [...texts.keys()], inputs: [...inputs.keys()], asked };
}
