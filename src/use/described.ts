import { isMap, parseDocument, visit } from 'yaml';
import { shieldReferences, unshieldReferences } from '../config/references.ts';
import { waitingIn } from './erp/waiting.ts';
import { UsageError } from './faults.ts';

/** A person's description of an ERP, for `init`. */

type Section = Readonly<Record<string, unknown>>;

export interface Described {
  readonly section: Section;
  /** null: only the section. */
  readonly whole: Whole | null;
}

/** The account of a whole configuration, as `erp draft` writes it. */
export interface Whole {
  /** The section `erp` with its comments. */
  readonly node: unknown;
  /** Other sections. */
  readonly beside: Section;
  /** Questions of `init` that are already answered. */
  readonly settled: Settled;
  /** Lines of `erp` that wait for a person. */
  readonly waiting: number;
}

type Settled = Readonly<Partial<Record<'url' | 'key' | 'seller' | 'currency' | 'strategy', string>>>;

/** @throws UsageError with the reason, for a text without an ERP */
export function describedIn(text: string): Described {
  const document = parseDocument(shieldReferences(text), { merge: true });
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(error.message);
  const read = plain(document.toJS());
  const accounts = sectionIn(read, 'accounts');
  if (accounts === null) {
    const section = sectionIn(read, 'erp') ?? read;
    if (!isSection(section)) throw new UsageError('expected the section erp, with its lists and writes');
    return { section, whole: null };
  }
  const [[name, account] = ['', null], ...more] = Object.entries(accounts);
  if (more.length > 0) throw new UsageError(`it has several accounts: ${Object.keys(accounts).join(', ')}`);
  const section = sectionIn(account, 'erp');
  if (section === null || !isSection(account)) throw new UsageError('expected an account with the section erp');
  const { erp: _, ...beside } = account;
  const waits = waitingIn(text).map(({ path }) => path);
  const isWaiting = (...path: string[]) => waits.some((one) => one.join('.') === ['accounts', name, ...path].join('.'));
  const settled = settledOf(account, isWaiting);
  const node = document.getIn(['accounts', name, 'erp'], true);
  return {
    section,
    whole: {
      node: hasAlias(node) ? section : node,
      beside,
      settled,
      waiting: waits.filter(([, , part]) => part === 'erp').length,
    },
  };
}

/** The text of a configuration with nodes of `describedIn`. */
export const withReferences = unshieldReferences;

function settledOf(account: Section, isWaiting: (...path: string[]) => boolean): Settled {
  const marketplace = sectionIn(account, 'marketplace') ?? {};
  const auth = sectionIn(marketplace, 'auth') ?? {};
  const inventory = sectionIn(account, 'inventory') ?? {};
  const [, key] = /^\$\{(.+)\}$/.exec(textOf(auth['key'])) ?? [];
  const answers = [
    ['url', ['marketplace', 'base_url'], marketplace['base_url']],
    ['key', ['marketplace', 'auth', 'key'], key],
    ['seller', ['marketplace', 'seller_id'], marketplace['seller_id']],
    ['currency', ['currency'], account['currency']],
    ['strategy', ['inventory', 'strategy'], inventory['strategy']],
  ] as const;
  return Object.fromEntries(
    answers.flatMap(([name, path, value]) =>
      textOf(value) === '' || isWaiting(...path) ? [] : [[name, textOf(value)]],
    ),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** An alias may refer outside the section. */
function hasAlias(node: unknown): boolean {
  let found = false;
  if (isMap(node)) visit(node, { Alias: () => ((found = true), visit.BREAK) });
  return found;
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return unshieldReferences(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

function sectionIn(value: unknown, name: string): Section | null {
  const found = isSection(value) ? value[name] : null;
  return isSection(found) ? found : null;
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
