/** A question with more different values than this clears its cache. */
const MAX_ANSWERS = 1_024;

type Answers = Map<string, unknown>;
type Value = string | number | null;

const generations = new WeakMap<object, Map<object, Answers>>();

/** From now on, the connection shows one state of the database, so equal questions have equal answers. */
export function beginGeneration(connection: object): void {
  generations.set(connection, new Map());
}

export function endGeneration(connection: object): void {
  generations.delete(connection);
}

/**
 * Asks the database, unless this generation has the answer. Concurrent flows ask for the same products, links and
 * settings. Nobody may change the shared rows.
 */
export function cachedInSnapshot<Answer>(connection: object, ask: (values: readonly Value[]) => Answer) {
  return (values: readonly Value[]): Answer => {
    const generation = generations.get(connection);
    if (generation === undefined) return ask(values);
    const answers: Answers = generation.get(ask) ?? new Map<string, unknown>();
    generation.set(ask, answers);
    const key = values.map((value) => value ?? NULL).join(NEXT);
    if (answers.size === MAX_ANSWERS) answers.clear();
    if (!answers.has(key)) answers.set(key, ask(values));
    return answers.get(key) as Answer;
  };
}

const NULL = '\0null';
const NEXT = '\0next';
