import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsageError } from '../use/faults.ts';
import { INIT_ERPS, type InitErpAnswers, REFERENCE } from '../use/init.ts';

/* The questions of `init` about the ERP. */

/** Asks for an answer that was not given as an option. */
export type Answer = (given: string | undefined, flag: string, question: string, usual?: string) => Promise<string>;

/** The answers that were given as options. */
export interface GivenErp {
  readonly erp?: string;
  readonly erpUrl?: string;
  readonly erpSecret?: string;
  readonly set?: readonly string[];
  readonly description?: string;
}

/** @throws UsageError for an answer that cannot be right */
export async function askErp(answer: Answer, given: GivenErp): Promise<InitErpAnswers> {
  const kinds = Object.entries(INIT_ERPS).map(([name, { about }]) => `${name} (${about})`);
  const erp = await answer(given.erp, '--erp', `Which ERP: ${kinds.join(', ')}?`, 'http');
  const offer = Object.hasOwn(INIT_ERPS, erp) ? INIT_ERPS[erp] : undefined;
  if (offer === undefined) throw new UsageError(`"${erp}" is no kind of ERP: ${Object.keys(INIT_ERPS).join(', ')}`);
  const { where, secret, settings: names, described } = offer;
  const erpUrl = await answer(given.erpUrl, '--erp-url', where);
  const question = 'Where does its token, key or password stand?';
  const erpSecret = secret === null ? null : placeOf(await answer(given.erpSecret, '--erp-secret', question, secret));
  const set = new Map((given.set ?? []).map(settingOf));
  const settings: Record<string, string> = {};
  for (const name of names)
    settings[name] = await answer(set.get(name), `--set ${name}=...`, `Its ${name.replace('_', ' ')}?`);
  const asks = `Which file describes it? "stockbridge guide ${described}" has an example`;
  const file = described === null ? null : await answer(given.description, '--description', asks);
  return { erp, erpUrl, erpSecret, settings, description: file === null ? {} : descriptionIn(file) };
}

/** The place of a secret. */
export function placeOf(text: string): string {
  if (REFERENCE.test(text)) return text;
  // The typed text may be the secret itself. The message does not repeat it.
  throw new UsageError('a secret is not typed here: say where it stands, as env:NAME or file:PATH');
}

function settingOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is no setting: --set NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The section `erp` of a YAML file, or the keys of one. */
function descriptionIn(file: string): Readonly<Record<string, unknown>> {
  const refused = (why: string) => new UsageError(`${file} describes no ERP: ${why}`);
  let read: unknown;
  try {
    read = parse(readFileSync(file, 'utf8'), { merge: true });
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
  if (!isSection(read)) throw refused('expected the section erp, with its lists and writes');
  return isSection(read['erp']) ? read['erp'] : read;
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
