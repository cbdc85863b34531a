import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { withAccountFiles } from './account-files.ts';
import { section } from './contradictions.ts';
import { readDocument, type SourceFile } from './document.ts';
import { parseSource } from './issues.ts';
import { withModules } from './modules.ts';
import { dotted, type Path } from './path.ts';
import { type ErpPreset, type Extended, withPresets } from './presets.ts';
import { accountOf, ConfigError, inOrder, type Problem, type Unusable, unusableBy } from './problem.ts';
import { FILE_BYTES_MAX, readText } from './references.ts';
import { type Config, resolveConfig } from './resolve.ts';
import { accountlessFile, configFile } from './schema.ts';
import { collectSecrets, mask, secretSettings, withoutSecrets } from './secrets.ts';
import { sectionsIn } from './sections.ts';
import { doubtfulIn } from './warnings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadedConfig {
  readonly config: Config;
  readonly text: string;
  /** The effective file: keys as in YAML, defaults filled in, secrets and values from outside masked. */
  readonly masked: unknown;
  readonly extended: readonly Extended[];
  readonly secrets: readonly string[];
  /** Settings that work but are most likely a mistake, at this time (epoch milliseconds). */
  readonly warnings: (nowMs: number) => Problem[];
}

/**
 * Reads and checks a configuration file without any network access.
 * @throws ConfigError with every problem at once
 */
export function loadConfig(path: string, env: Environment): LoadedConfig {
  return loadConfigText(path, textOf(path), env);
}

export function loadConfigText(path: string, text: string, env: Environment): LoadedConfig {
  const { loaded, problems } = read(path, text, env);
  if (loaded === null || problems.length > 0) throw new ConfigError(path, inOrder(problems));
  return loaded;
}

/**
 * Leaves out the accounts with a problem: see `config.unusable`.
 * @throws ConfigError with every problem when the file itself has one, or no account is usable
 */
export function loadUsable(path: string, env: Environment): LoadedConfig {
  const { loaded, problems } = read(path, textOf(path), env);
  if (loaded === null) throw new ConfigError(path, inOrder(problems));
  return loaded;
}

/** While the file is unusable, its last usable text is combined with the present account files. */
export function loadAgain(path: string, env: Environment, last: LoadedConfig): LoadedConfig {
  try {
    return loadUsable(path, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const whole = error.problems.filter((problem) => accountOf(problem) === null);
    const { loaded, problems } =
      whole.length === 0 ? { loaded: null, problems: error.problems } : read(path, last.text, env);
    // Without any usable account, everything stays as it is.
    const { config, ...rest } = loaded ?? last;
    return { ...rest, config: { ...config, unusable: unusableBy(path, [...whole, ...problems]) } };
  }
}

/**
 * The configuration for what needs only the database. Accounts and secrets need not be readable, except a secret in the
 * database's address. null: unusable.
 */
export function loadState(path: string, env: Environment): Pick<LoadedConfig, 'config' | 'secrets'> | null {
  return loadSections(['state'], path, env, [], (setting) => !setting.startsWith('state.redis'));
}

/**
 * A configuration without accounts, which locates the daemon and its records while the rest of the file is unusable.
 * null: these sections are unusable too.
 */
export function loadRecords(
  path: string,
  env: Environment,
  { problems }: ConfigError,
): Pick<LoadedConfig, 'config' | 'secrets'> | null {
  return loadSections(['state', 'admin'], path, env, problems);
}

/**
 * Reads these sections alone.
 * @param isNeeded other settings are left out, with their faults
 */
function loadSections(
  names: readonly string[],
  path: string,
  env: Environment,
  problems: readonly Problem[],
  isNeeded: (setting: string) => boolean = () => true,
): Pick<LoadedConfig, 'config' | 'secrets'> | null {
  const file = readText(path, FILE_BYTES_MAX);
  if ('error' in file) return null;
  const text = sectionsIn(file.text, names);
  if (text === null) return null;
  const source = readDocument(text, { env, folder: dirname(path) });
  const sections = Object.entries(source.value ?? {});
  const needed = sections.map(([name, settings]) => [name, neededOf(name, settings, isNeeded)] as const);
  const parsed = accountlessFile.safeParse(Object.fromEntries(needed));
  if (source.problems.some((problem) => isNeeded(problem.path)) || !parsed.success) return null;
  const whole = { ...parsed.data, accounts: {} };
  const unusable = unusableBy(path, problems);
  const config = resolveConfig(whole, { where: () => null, settingsOf: () => '', secretsOf: () => [], unusable });
  return { config, secrets: collectSecrets(source) };
}

/** The needed settings of a section. A section that is no mapping stays as it is, for the schema to refuse. */
function neededOf(name: string, settings: unknown, isNeeded: (setting: string) => boolean): unknown {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([key]) => isNeeded(`${name}.${key}`)));
}

/** @throws ConfigError when the file cannot be read */
function textOf(path: string): string {
  const file = readText(path, FILE_BYTES_MAX);
  if ('error' in file) throw new ConfigError(path, [unreadable(file.error)]);
  return file.text;
}

/** The usable part of a configuration, and every problem. null: nothing is usable. */
function read(
  path: string,
  text: string,
  env: Environment,
): { readonly loaded: LoadedConfig | null; readonly problems: readonly Problem[] } {
  const around = { env, folder: dirname(path) };
  const source = withAccountFiles(readDocument(text, around), around);
  if (!source.readable) return { loaded: null, problems: source.problems };
  const whole = check(path, source);
  let [rest, problems] = [whole, whole.problems];
  // An account that is left out may have hidden another one's problem.
  while (rest.problems.length > 0) {
    if (rest.problems.some((problem) => accountOf(problem) === null)) break;
    rest = check(path, without(source, new Set(problems.map(accountOf))));
    problems = [...problems, ...rest.problems];
  }
  if (rest.parsed === null || rest.problems.length > 0) return { loaded: null, problems: whole.problems };
  const unusable = unusableBy(path, inOrder(problems));
  return { loaded: loadedFrom(rest.parsed, { path, text, source, unusable }), problems };
}

interface Checked extends Pick<ReturnType<typeof withPresets>, 'extended' | 'erps'> {
  readonly data: z.output<typeof configFile>;
}

function check(
  path: string,
  source: SourceFile,
): { readonly parsed: Checked | null; readonly problems: readonly Problem[] } {
  const { value, extended, problems, erps } = withPresets(source, dirname(path));
  const before = [...source.problems, ...problems];
  const parsed = parseSource(configFile, { ...source, value: withModules(value, dirname(path)) });
  if (parsed.success) return { parsed: { data: parsed.data, extended, erps }, problems: before };
  // Without its preset, an account lacks what the preset would have set.
  const spoiled = new Set(problems.map(({ account }) => account));
  const own = parsed.problems.filter((problem) => !spoiled.has(accountOf(problem) ?? undefined));
  // Accounts whose files are unreadable exist nevertheless.
  const isLack = ({ path: at }: Problem) => at === 'accounts' && before.some((problem) => accountOf(problem) !== null);
  return { parsed: null, problems: [...before, ...own.filter((problem) => !isLack(problem))] };
}

function without(source: SourceFile, left: ReadonlySet<string | null>): SourceFile {
  const whole = section(source.value);
  const accounts = Object.entries(section(whole['accounts'])).filter(([name]) => !left.has(name));
  return {
    ...source,
    value: { ...whole, accounts: Object.fromEntries(accounts) },
    problems: source.problems.filter((problem) => !left.has(accountOf(problem))),
  };
}

interface Whence {
  readonly path: string;
  readonly text: string;
  readonly source: SourceFile;
  readonly unusable: readonly Unusable[];
}

function loadedFrom({ data, extended, erps }: Checked, { path, text, source, unusable }: Whence): LoadedConfig {
  const config = resolveConfig(data, {
    where: (account, at) => whereIs(at, account, { file: path, source }, erps.get(account)),
    settingsOf: (account) => digestOf(withoutSecrets(data.accounts[account], ['accounts', account])),
    secretsOf: (account) => secretSettings(data.accounts[account], ['accounts', account], source),
    unusable,
  });
  return {
    config,
    text,
    masked: mask(data, source),
    secrets: collectSecrets(source),
    extended,
    warnings: (nowMs) =>
      doubtfulIn(data, nowMs).map(({ path: at, message }) => ({
        ...source.place(at, 'value'),
        path: dotted(at),
        message,
      })),
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** The place of a part of the section `erp`: in the file, else in the preset, else its parent's place. */
function whereIs(at: Path, account: string, own: ErpPreset, preset: ErpPreset | undefined): string | null {
  for (let length = at.length; length > 0; length -= 1) {
    const path = at.slice(0, length);
    const inFile: Path = ['accounts', account, 'erp', ...path];
    if (own.source.has(inFile)) return written(own, inFile);
    if (preset?.source.has(path)) return written(preset, path);
  }
  return null;
}

function written({ file, source }: ErpPreset, at: Path): string {
  const { file: other = file, line, column } = source.place(at, 'value');
  return `${other}:${line}:${column}`;
}

function unreadable(error: string): Problem {
  const advice = error === 'does not exist' ? '; copy an example from config/ to it, or name yours with --config' : '';
  return { line: null, column: null, path: '', message: error + advice };
}
