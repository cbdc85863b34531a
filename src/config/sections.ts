import { isMap, isScalar, type Node, type Pair, parseDocument } from 'yaml';
import { shieldReferences } from './references.ts';

/**
 * The text of these sections alone, so that the rest of the file may be unusable. In a file that is not YAML, a section is
 * known by its lines. null: the sections cannot be told apart from the rest.
 */
export function sectionsIn(text: string, names: readonly string[]): string | null {
  // The check for unique keys takes quadratic time.
  const doc = parseDocument(shieldReferences(text), { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const { contents, errors } = doc;
  if (errors.length === 0 && contents === null) return '';
  if (errors.length > 0 || !isMap(contents)) return /^\s*\{/.test(text) ? null : linesOf(text, names);
  const parts: string[] = [];
  for (const { key, value } of contents.items as Pair<Node, Node | null>[]) {
    if (!isScalar(key) || key.value === '<<') return null;
    if (names.includes(String(key.value))) parts.push(text.slice(key.range?.[0], (value ?? key).range?.[1]));
  }
  return contents.flow === true ? `{ ${parts.join(', ')} }` : parts.join('\n');
}

function linesOf(text: string, names: readonly string[]): string {
  const section = (name: string) =>
    new RegExp(`^(["']?)${name}\\1[ \\t]*:.*\\n?(?:(?:[ \\t#].*)?(?:\\r?\\n|$))*`, 'm').exec(text)?.[0] ?? '';
  return names.map(section).join('');
}
