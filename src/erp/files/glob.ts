import { splitPath } from './exchange.ts';

/** The problem of a relative file pattern; null: none. */
export function globProblem(glob: string): string | null {
  const { folder, name } = splitPath(glob);
  if (glob.startsWith('/') || glob.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'must be a path below the folder of the exchange';
  }
  if (/[*?]/.test(folder)) return 'has * and ? in its name only, not in its folder';
  return name === '' || /[\p{Cc}\\]/u.test(glob) ? 'is no name of files' : null;
}

/** A case-insensitive expression for a pattern with * and ?. */
export function globRegex(name: string): RegExp {
  const [first = '', ...others] = name.split(/\*+/).map(literal);
  const last = others.pop();
  if (last === undefined) return new RegExp(`^${first}$`, 'isu');
  // The lookahead takes the first match of each part, so that a hostile name causes no backtracking.
  const between = others.map((part, at) => `(?=(.*?${part}))\\${at + 1}`);
  return new RegExp(`^${first}${between.join('')}.*${last}$`, 'isu');
}

function literal(part: string): string {
  return part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.');
}
