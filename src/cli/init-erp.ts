import { readFileSync } from 'node:fs';
import { type Described, describedIn, type Whole } from '../use/described.ts';
import { UsageError } from '../use/faults.ts';
import { INIT_ERPS, type InitErpAnswers, REFERENCE } from '../use/init.ts';

/** Asks unless the option was given. */
export type Answer = (given: string | undefined, flag: string, question: string, usual?: string) => Promise<string>;

export interface GivenErp {
  readonly erp?: string;
  readonly erpUrl?: string;
  readonly erpSecret?: string;
  readonly set?: readonly string[];
  readonly description?: string;
}

/** @throws UsageError for an impossible answer */
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
  const { section = {}, whole = null } = file === null ? {} : descriptionIn(file);
  return { erp, erpUrl, erpSecret, settings, description: section, beside: whole?.beside ?? {} };
}

/**
 * A whole configuration, which answers every question about the ERP; null: only a section.
 * @throws UsageError for a file without an ERP, or an option that the file answers already
 */
export function wholeIn(file: string | undefined, given: GivenErp): Whole | null {
  if (file === undefined) return null;
  const { whole } = descriptionIn(file);
  const asked = {
    '--erp': given.erp,
    '--erp-url': given.erpUrl,
    '--erp-secret': given.erpSecret,
    '--set': given.set?.[0],
  };
  const [twice] = Object.entries(asked).find(([, value]) => value !== undefined) ?? [];
  if (whole !== null && twice !== undefined)
    throw new UsageError(`${file} is a whole configuration, so its section erp answers ${twice}: change it there`);
  return whole;
}

export function placeOf(text: string): string {
  if (REFERENCE.test(text)) return text;
  // The typed text may be the secret, so the message does not repeat it.
  throw new UsageError('a secret is not typed here: say where it stands, as env:NAME or file:PATH');
}

function settingOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is no setting: --set NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** @throws UsageError for a file without an ERP */
function descriptionIn(file: string): Described {
  try {
    return describedIn(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} describes no ERP: ${error instanceof Error ? error.message : String(error)}`);
  }
}
