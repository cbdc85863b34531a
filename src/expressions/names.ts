import { FIGURES } from './figures.ts';
import { instantOf, isBeforeText, localOf } from './moments.ts';

/**
 * Names such as `$lokup`, which the engine would report only at evaluation. Functions that are not deterministic, or
 * that turn text into code, count as unknown: two looks at one product must agree.
 * @param given names with values, without `$`
 */
export function unknownNames(ast: unknown, given: readonly string[] = []): string[] {
  const used = new Set<string>();
  const bound = new Set<string>();
  const seen = new Set<object>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { type, value, lhs, arguments: parameters } = node as Record<string, unknown>;
    if (type === 'variable' && typeof value === 'string') used.add(value);
    if (type === 'bind') bound.add(nameOf(lhs));
    if (type === 'lambda' && Array.isArray(parameters)) for (const one of parameters) bound.add(nameOf(one));
    for (const [name, part] of Object.entries(node)) {
      if ((name === 'focus' || name === 'index') && typeof part === 'string') bound.add(part);
      walk(part);
    }
  };
  walk(ast);
  // `$` is the current node of the input, `$$` the whole input.
  const known = new Set([...FUNCTIONS, ...Object.keys(OWN), ...given, ...bound, '', '$']);
  return [...used].filter((name) => !known.has(name)).map((name) => `$${name}`);
}

function nameOf(node: unknown): string {
  return typeof node === 'object' && node !== null && 'value' in node ? String(node.value) : '';
}

/** Not deterministic, or turning text into code. */
export const FORBIDDEN = ['eval', 'millis', 'now', 'random', 'shuffle'] as const;

/** Functions that JSONata lacks: exact figures, and times. */
export const OWN: Readonly<Record<string, (...parts: unknown[]) => unknown>> = {
  ...FIGURES,
  instant: instantOf,
  local: localOf,
  before: isBeforeText,
};

/** All other functions of JSONata 2.2. */
export const FUNCTIONS = `
  abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl decodeUrlComponent
  distinct each encodeUrl encodeUrlComponent error exists filter floor formatBase formatInteger formatNumber fromMillis
  join keys length lookup lowercase map match max merge min not number pad parseInteger power reduce replace reverse
  round sift single sort split spread sqrt string substring substringAfter substringBefore sum toMillis trim type
  uppercase zip`.match(/\w+/g) as string[];
