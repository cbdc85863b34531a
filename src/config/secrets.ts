import type { SourceFile } from './document.ts';
import { dotted, type Path } from './path.ts';
import { type IsSecret, secretsIn } from './secret-places.ts';

const MASK = '***';

/** A copy without secrets and without values from outside the file. */
export function mask(value: unknown, source: SourceFile): unknown {
  const isSecret = secretsIn(value);
  return masked(value, [], (path, leaf) => isSecret(path, leaf) || source.origin(path) !== null);
}

/** A copy without secrets. Values from outside the file stay, because they are settings like any other. */
export function withoutSecrets(value: unknown, path: Path): unknown {
  return masked(value, path, secretsIn(value, path));
}

function masked(value: unknown, path: Path, isHidden: IsSecret): unknown {
  if (Array.isArray(value)) return value.map((item, index) => masked(item, [...path, index], isHidden));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, masked(item, [...path, key], isHidden)]),
    );
  }
  if (isHidden(path, value)) return MASK;
  return typeof value === 'string' ? maskedAddress(value) : value;
}

export interface SecretSetting {
  /** `marketplace.auth.key` */
  readonly path: string;
  /** Its references: `${env:KEY}`; empty: it is in the file. */
  readonly from: readonly string[];
  /** The token server that receives the secret; null: the secret itself is sent to the side. */
  readonly server: string | null;
  readonly value: string;
}

/** The secrets in a section. @param at the path of the section; paths are relative to it */
export function secretSettings(section: unknown, at: Path, source: SourceFile): SecretSetting[] {
  const found: SecretSetting[] = [];
  const isSecret = secretsIn(section, at);
  const collect = (value: unknown, path: Path, server: string | null): void => {
    if (typeof value === 'object' && value !== null) {
      const own = 'token_url' in value && typeof value.token_url === 'string' ? value.token_url : server;
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value)) collect(item, [...path, isList ? Number(key) : key], own);
    } else if (typeof value === 'string' && (isSecret([...at, ...path], value) || passwordsIn(value).length > 0)) {
      const from = source.origin([...at, ...path])?.written ?? [];
      found.push({ path: dotted(path), from, server, value });
    }
  };
  collect(section, [], null);
  return found;
}

/**
 * Texts that must not be logged, including values from outside the file. Exceptions are short texts and plain
 * addresses: hiding a mode or a port would make logs useless.
 */
export function collectSecrets(source: SourceFile): string[] {
  const secrets = new Set<string>();
  const isSecret = secretsIn(source.value);
  const collect = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value)) collect(item, [...path, isList ? Number(key) : key]);
    } else if (typeof value === 'string') {
      for (const text of secretsOf(value, path, { source, isSecret })) secrets.add(text);
    }
  };
  collect(source.value, []);
  secrets.delete('');
  return [...secrets];
}

function secretsOf(
  value: string,
  path: Path,
  { source, isSecret }: { readonly source: SourceFile; readonly isSecret: IsSecret },
): string[] {
  const outside = source.origin(path)?.values ?? [];
  if (isSecret(path, value)) return [value, ...outside];
  const passwords = passwordsIn(value);
  return [
    ...outside.filter((text) => text.length >= 8 && !PLAIN_ADDRESS.test(text)),
    ...(passwords.length === 0 ? [] : [value, ...passwords, ...passwords.map(decoded)]),
  ];
}

const PLAIN_ADDRESS = /^https?:\/\/[^@?#]*$/i;

/**
 * The password before the host: `redis://user:password@host`. The second pattern finds passwords in the query:
 * `?password=...`.
 */
const USER = /^([a-z][a-z0-9+.-]*:\/\/[^/@:]*:)([^/]*)(?=@)/i;
const IN_QUERY = /([?&][^=&#]*(?:pass|pwd|secret|token|auth|key)[^=&#]*=)([^&#]*)/gi;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

function maskedAddress(text: string): string {
  if (!ADDRESS.test(text)) return text;
  return text.replace(USER, `$1${MASK}`).replaceAll(IN_QUERY, `$1${MASK}`);
}

function passwordsIn(text: string): string[] {
  if (!ADDRESS.test(text)) return [];
  return [USER.exec(text)?.[2] ?? '', ...Array.from(text.matchAll(IN_QUERY), ([, , value = '']) => value)].filter(
    (password) => password !== '',
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
