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
  const source = name
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'isu');
}
