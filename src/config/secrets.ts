import type { SourceFile } from './document.ts';
import type { Path } from './path.ts';

const SECRET_KEY = /^(key|token|secret|password)$|_(token|secret)$/;
const MASK = '***';

/** Is the value a secret by the name of its key, wherever it comes from? */
export function isSecretKey(path: Path): boolean {
  const key = path.findLast((step) => typeof step === 'string');
  return key !== undefined && SECRET_KEY.test(String(key));
}

/** A copy of `value` without secrets and without anything that came from outside the file. */
export function mask(value: unknown, source: SourceFile, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mask(item, source, [...path, index]));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mask(item, source, [...path, key])]));
  }
  if (isSecretKey(path) || source.origin(path) !== null) return MASK;
  const password = typeof value === 'string' ? urlPassword(value) : null;
  return password === null ? value : String(value).replace(`:${password}@`, `:${MASK}@`);
}

/**
 * Every text that must not appear in a log. A text from outside the file counts, unless it is short or a plain address: a
 * mode or a port from the environment is no secret, and hiding it would make the logs useless.
 */
export function collectSecrets(source: SourceFile): string[] {
  const secrets = new Set<string>();
  const collect = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value)) collect(item, [...path, isList ? Number(key) : key]);
    } else if (typeof value === 'string') {
      for (const text of secretsOf(value, path, source)) secrets.add(text);
    }
  };
  collect(source.value, []);
  secrets.delete('');
  return [...secrets];
}

function secretsOf(value: string, path: Path, source: SourceFile): string[] {
  const outside = source.origin(path)?.values ?? [];
  if (isSecretKey(path)) return [value, ...outside];
  const password = urlPassword(value);
  return [
    ...outside.filter((text) => text.length >= 8 && !PLAIN_ADDRESS.test(text)),
    ...(password === null ? [] : [value, password, decoded(password)]),
  ];
}

const PLAIN_ADDRESS = /^https?:\/\/[^@?#]*$/;

/** The password in an address such as redis://user:password@host, as written; null when there is none. */
function urlPassword(text: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:([^/]*)@/.exec(text)?.[1] ?? null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
