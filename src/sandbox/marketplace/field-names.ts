import { parseJson } from '../../http/json.ts';
import { type RecordKind, recordKindOf } from '../../marketplace/operations/record-names.ts';
import type { Settings } from './settings.ts';
import { type Fields, invalid, without } from './wire-values.ts';

type Spoken = Pick<Settings, 'fieldNames' | 'words'>;

/** With the deployment's names and words. */
export function shownAs(kind: RecordKind, json: string, spoken: Spoken): string {
  const names = Object.entries(spoken.fieldNames[kind] ?? {});
  const words = Object.entries(spoken.words[kind] ?? {});
  if (names.length === 0 && words.length === 0) return json;
  let usual = parseJson(json) as Fields;
  for (const [name, table] of words) {
    const word = table[String(usual[name])];
    if (word !== undefined) usual = { ...usual, [name]: word };
  }
  const moved = new Set(names.map(([name]) => name));
  const shown = names.reduce<Fields>(
    (fields, [name, place]) => (usual[name] === undefined ? fields : placed(fields, place.split('.'), usual[name])),
    without(usual, moved),
  );
  return JSON.stringify(shown);
}

/** The body under the usual names. A renamed field is ignored under its usual name. */
export function takenAs(operationId: string, body: unknown, spoken: Spoken): unknown {
  const kind = recordKindOf(operationId);
  if (kind === null || typeof body !== 'object' || body === null) return body;
  const sent = body as Fields;
  const names = Object.entries(spoken.fieldNames[kind] ?? {});
  const gone = new Set(names.flatMap(([name, place]) => [name, place.split('.')[0] ?? '']));
  let taken = without(sent, gone);
  for (const [name, place] of names) {
    const value = place.split('.').reduce<unknown>((part, key) => (part as Fields | undefined)?.[key], sent);
    if (value !== undefined) taken = { ...taken, [name]: value };
  }
  return inUsualWords(operationId, taken, spoken);
}

/** In the usual words. @throws Refusal 400 for an unknown word */
export function inUsualWords(operationId: string, sent: Fields, spoken: Spoken): Fields {
  const kind = recordKindOf(operationId);
  let usual = sent;
  for (const [name, table] of Object.entries(kind === null ? {} : (spoken.words[kind] ?? {}))) {
    const word = sent[name];
    if (typeof word !== 'string') continue;
    const [known] = Object.entries(table).find(([, here]) => here === word) ?? [];
    if (known !== undefined) usual = { ...usual, [name]: known };
    else if (Object.hasOwn(table, word)) throw invalid(name, `"${word}" is not a valid choice.`);
  }
  return usual;
}

function placed(fields: Fields, [name = '', ...below]: readonly string[], value: unknown): Fields {
  const inner = (fields[name] ?? {}) as Fields;
  return { ...fields, [name]: below.length === 0 ? value : placed(inner, below, value) };
}
