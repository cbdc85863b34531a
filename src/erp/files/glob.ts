import { splitPath } from './exchange.ts';

/** The problem of a pattern for files below a folder; null when there is none. */
export function globProblem(glob: string): string | null {
  const { folder, name } = splitPath(glob);
  if (glob.startsWith('/') || glob.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'must be a path below the folder of the exchange';
  }
  if (/[*?]/.test(folder)) return 'has * and ? in its name only, not in its folder';
  return name === '' || /[\p{Cc}\\]/u.test(glob) ? 'is no name of files' : null;
}

/** An expression for the names that fit a pattern with * and ?. Capitals do not matter. */
export function globRegex(name: string): RegExp {
  const [first = '', ...others] = name.split(/\*+/).map(literal);
  const last = others.pop();
  if (last === undefined) return new RegExp(`^${first}$`, 'isu');
  // A part between two stars is looked for once, at its first place: no hostile name makes the expression try every other one.
  const between = others.map((part, at) => `(?=(.*?${part}))\\${at + 1}`);
  return new RegExp(`^${first}${between.join('')}.*${last}$`, 'isu');
}

function literal(part: string): string {
  return part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.');
}
