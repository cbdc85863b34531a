/** A word that fits. After a trailing equals sign, the value follows without a space. */
export interface Offer {
  readonly word: string;
  readonly summary: string;
}

/** Printed instead of words: the shell completes a file path. */
export const FILES = ':files';

/** Known words, or those that only the configuration or database has. */
export type Source = readonly Offer[] | typeof FILES | ':accounts' | ':plans';

/** A verb and what may follow it. */
export interface Node {
  readonly summary: string;
  readonly commands: Readonly<Record<string, Node>>;
  /** By `--name`; null: takes no value. */
  readonly options: Readonly<Record<string, { readonly summary: string; readonly takes: Source | null }>>;
  readonly args: readonly Source[];
}

/** An operation of `api`. */
export interface OperationWords {
  readonly summary: string;
  readonly params: readonly string[];
  readonly files: readonly string[];
}

/** All words after the program's name. */
export interface Words {
  readonly program: Node;
  readonly operations: Readonly<Record<string, OperationWords>>;
}

export const offer = (word: string, summary = ''): Offer => ({ word, summary });

/** Bash splits at an equals sign. */
export function rejoined(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    if (index > 0 && (word === '=' || words[index - 1] === '=')) joined.push(joined.pop() + word);
    else joined.push(word);
  }
  return joined;
}

/** The words that fit in place of the last one. */
export function sourceAt({ program, operations }: Words, words: readonly string[]): Source {
  let [node, path, taken] = [program, '', 0];
  let operation: OperationWords | null = null;
  let awaited: string | null = null;
  const optionsHere = () => ({ ...node.options, ...program.options });
  for (const word of words.slice(0, -1)) {
    if (awaited !== null) awaited = null;
    else if (word.startsWith('-')) awaited = (ownOf(optionsHere(), word)?.takes ?? null) === null ? null : word;
    else if (Object.keys(node.commands).length > 0) {
      const verb = ownOf(node.commands, word);
      if (verb === undefined) return [];
      [node, path] = [verb, `${path} ${word}`];
    } else {
      taken += 1;
      if (path === ' api') operation ??= ownOf(operations, word) ?? null;
    }
  }
  const typed = words.at(-1) ?? '';
  if (awaited !== null)
    return path === ' api' && ['--param', '--file'].includes(awaited)
      ? fieldsOf(operation, awaited, typed)
      : (optionsHere()[awaited]?.takes ?? []);
  if (typed.startsWith('-')) {
    const options = Object.entries(optionsHere()).map(([name, { summary }]) => offer(name, summary));
    return [...options, offer('--help', 'show the help')];
  }
  const below = Object.entries(node.commands);
  if (below.length > 0) return below.map(([name, { summary }]) => offer(name, summary));
  if (path !== ' api') return node.args[taken] ?? [];
  return operation === null ? Object.entries(operations).map(([id, { summary }]) => offer(id, summary)) : [];
}

/** What is typed may be a name that every object answers to, such as `constructor`. */
function ownOf<T>(of: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(of, word) ? of[word] : undefined;
}

/** The operation's fields with their equals signs. */
function fieldsOf(operation: OperationWords | null, option: string, typed: string): Source {
  if (option === '--file' && typed.includes('=')) return FILES;
  // The values after the equals sign are unknown here.
  if (operation === null || typed.includes('=')) return [];
  return (option === '--file' ? operation.files : operation.params).map((name) => offer(`${name}=`));
}

/** The configuration's path among the typed words. */
export function configIn(words: readonly string[]): string {
  const at = words.lastIndexOf('--config', -2);
  return (at < 0 ? undefined : words[at + 1]) ?? 'config/stockbridge.yaml';
}

/** The offers that begin with the typed text, one a line. */
export function linesOf(offers: readonly Offer[], words: readonly string[], shell: string): string[] {
  const fitting = offers.filter(({ word }) => word.startsWith(words.at(-1) ?? ''));
  return fitting.map(({ word, summary }) => (shell === 'fish' ? `${word}\t${summary}` : word));
}
