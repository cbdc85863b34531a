/** A problem of a configuration file, without any value that may be secret. */
export interface Problem {
  /** Default: the file that was read. */
  readonly file?: string;
  /** From 1; null: the file could not be read at all. */
  readonly line: number | null;
  readonly column: number | null;
  /** `accounts.main.currency`; empty: the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** The account whose file or preset has the problem; default: the one in `path`. */
  readonly account?: string;
}

/** The account that a problem makes unusable; null: it concerns the configuration as a whole. */
export function accountOf({ account, path }: Problem): string | null {
  return account ?? /^accounts\.([^.[]+)/.exec(path)?.[1] ?? null;
}

export interface Unusable {
  /** Empty: the configuration as a whole. */
  readonly account: string;
  readonly problem: string;
}

const LONGEST = 500;

export function unusableBy(file: string, problems: readonly Problem[]): Unusable[] {
  return [...Map.groupBy(problems, (problem) => accountOf(problem) ?? '')].map(([account, [first, ...more]]) => {
    const text = first === undefined ? '' : describe(file, first).slice(0, LONGEST);
    return { account, problem: more.length === 0 ? text : `${text} (and ${more.length} more)` };
  });
}

/** The configuration is unusable. The message has one line per problem: `file:line:col: path: message`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    super(problems.map((problem) => describe(file, problem)).join('\n'));
    this.problems = problems;
  }
}

export function describe(whole: string, { file = whole, line, column, path, message }: Problem): string {
  const position = line === null ? file : `${file}:${line}:${column}`;
  return path === '' ? `${position}: ${message}` : `${position}: ${path}: ${message}`;
}

export const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted(
    (a, b) =>
      (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
