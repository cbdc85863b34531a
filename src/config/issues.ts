import { z } from 'zod';
import { whyNoKey } from './contradictions.ts';
import type { SourceFile } from './document.ts';
import { dotted, type Path } from './path.ts';
import type { Problem } from './problem.ts';
import { secretsIn } from './secret-places.ts';
import { didYouMean, nearest } from './suggest.ts';

type Issue = z.core.$ZodIssue;

export function parseSource<T extends z.ZodType>(
  schema: T,
  source: SourceFile,
): { success: true; data: z.output<T> } | { success: false; problems: Problem[] } {
  const keysByPath = new Map<string, string[]>();
  const result = schema.safeParse(source.value, {
    error: (issue) => {
      // Only here does zod tell which schema refused the keys.
      if (issue.code === 'unrecognized_keys') keysByPath.set(dotted(issue.path ?? []), knownKeys(issue.inst));
      return undefined;
    },
  });
  if (result.success) return result;
  const knownAt = (path: Path): string[] => keysByPath.get(dotted(path)) ?? [];
  return { success: false, problems: toProblems(result.error.issues, source, knownAt) };
}

function knownKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) return schema.keyType.options.map(String);
  return [];
}

function toProblems(issues: readonly Issue[], source: SourceFile, knownAt: (path: Path) => string[]): Problem[] {
  // A mistyped key would be reported twice, as unknown and as missing. Once is clearer.
  const mistyped = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) mistyped.add(dotted([...issue.path, nearest(key, knownAt(issue.path)) ?? '']));
  }
  return issues.flatMap((issue): Problem[] => {
    if (source.origin(issue.path)?.failed) return [];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        const why = whyNoKey(issue.path, key, at(source.value, issue.path));
        return problem(source, path, 'key', why ?? `unknown key${didYouMean(key, knownAt(issue.path))}`);
      });
    }
    if (issue.code === 'custom' && issue.params?.['ofKey'] === true) {
      return [problem(source, issue.path, 'key', issue.message)];
    }
    if (issue.code === 'invalid_key') {
      return [problem(source, issue.path, 'key', issue.issues[0]?.message ?? issue.message)];
    }
    if (source.has(issue.path)) return [problem(source, issue.path, 'value', explain(issue, source))];
    return mistyped.has(dotted(issue.path)) ? [] : [problem(source, issue.path, 'key', missing(issue))];
  });
}

function problem(source: SourceFile, path: Path, of: 'key' | 'value', message: string): Problem {
  return { ...source.place(path, of), path: dotted(path), message };
}

function missing(issue: Issue): string {
  if (issue.code === 'custom') return issue.message;
  const allowed = choices(issue);
  return allowed.length > 0 ? `is missing; expected ${oneOf(allowed)}` : 'is missing';
}

function explain(issue: Issue, source: SourceFile): string {
  const value = at(source.value, issue.path);
  const references = source.origin(issue.path)?.written ?? [];
  const origin = references.length > 0 ? ` (the value comes from ${references.join(' and ')})` : '';
  const allowed = choices(issue);
  if (allowed.length > 0) {
    // A secret, or a value from outside the file, is not repeated in the message and gets no suggestion.
    const guess =
      typeof value === 'string' && origin === '' && !secretsIn(source.value)(issue.path, value)
        ? didYouMean(value, allowed)
        : '';
    return `expected ${oneOf(allowed)}${guess}${origin}`;
  }
  if (value === null) return `is empty; ${expectation(issue)}`;
  return expectation(issue) + origin;
}

/** The allowed values, if they can be enumerated. */
function choices(issue: Issue): string[] {
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options)) return [];
  return issue.options.map(String);
}

function expectation(issue: Issue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.expected === 'object' || issue.expected === 'record') return 'expected a section with keys of its own';
  return issue.expected === 'array' ? 'expected a list' : issue.message;
}

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? `"${values[0]}"` : `one of ${values.map((value) => `"${value}"`).join(', ')}`;

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<PropertyKey, unknown>)[step];
  }
  return found;
}
