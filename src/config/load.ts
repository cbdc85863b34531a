import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { withAccountFiles } from './account-files.ts';
import { readDocument } from './document.ts';
import { parseSource } from './issues.ts';
import { dotted, type Path } from './path.ts';
import { type ErpPreset, type Extended, withPresets } from './presets.ts';
import { ConfigError, inOrder, type Problem } from './problem.ts';
import { FILE_BYTES_MAX, readText } from './references.ts';
import { type Config, resolveConfig } from './resolve.ts';
import { configFile } from './schema.ts';
import { collectSecrets, mask, withoutSecrets } from './secrets.ts';
import { doubtfulIn } from './warnings.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The effective file, keys as in the YAML, defaults filled in, secrets and everything from outside masked. */
  readonly masked: unknown;
  readonly extended: readonly Extended[];
  /** Texts that must never be logged or shown. */
  readonly secrets: readonly string[];
  /** Settings that work but are most likely not meant, at this time (epoch milliseconds). */
  readonly warnings: (nowMs: number) => Problem[];
}

/**
 * Reads and checks a configuration file. Contacts nothing.
 * @throws ConfigError with every problem at once
 */
export function loadConfig(path: string, env: Readonly<Record<string, string | undefined>>): LoadedConfig {
  const file = readText(path, FILE_BYTES_MAX);
  if ('error' in file) throw new ConfigError(path, [unreadable(file.error)]);
  return loadConfigText(path, file.text, env);
}

/** The same for a text that is, or will be, the file at `path`. */
export function loadConfigText(
  path: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): LoadedConfig {
  const around = { env, folder: dirname(path) };
  const source = withAccountFiles(readDocument(text, around), around);
  if (!source.readable) throw new ConfigError(path, inOrder(source.problems));

  const { value, extended, problems, erps } = withPresets(source, dirname(path));
  const read = [...source.problems, ...problems];
  const parsed = parseSource(configFile, { ...source, value });
  if (!parsed.success) throw new ConfigError(path, inOrder([...read, ...parsed.problems]));
  if (read.length > 0) throw new ConfigError(path, inOrder(read));

  const { data } = parsed;
  const masked = mask(data, source);
  const config = resolveConfig(data, {
    where: (account, at) => whereIs(at, account, { file: path, source }, erps.get(account)),
    settingsOf: (account) => digestOf(withoutSecrets(data.accounts[account], ['accounts', account])),
  });
  return {
    config,
    masked,
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

/** The place of a part of the section `erp`: in the file, else in the preset, else the place of its parent. */
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
