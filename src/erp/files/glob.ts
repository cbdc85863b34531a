import { splitPath } from './exchange.ts';

/** The problem of the name of files below a folder; null when it can be used. */
export function globProblem(glob: string): string | null {
  const { folder, name } = splitPath(glob);
  if (glob.startsWith('/') || glob.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'must be a path below the folder of the exchange';
  }
  if (/[*?]/.test(folder)) return 'has * and ? in its name only, not in its folder';
  return name === '' || /[\p{Cc}\\]/u.test(glob) ? 'is no name of files' : null;
}

/** The names that a pattern with * and ? fits, in any case. */
export function globRegex(name: string): RegExp {
  const source = name
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'isu');
}
