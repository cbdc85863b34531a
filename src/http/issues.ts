import type { z } from 'zod';

/** An issue and its path: `results[3].line_items[0].quantity`. */
export interface ShapeIssue {
  readonly path: string;
  readonly message: string;
}

/** zod's text for a union without a message of its own. */
const NO_MEMBER = 'Invalid input';

/**
 * Every issue, with paths below `root`. A union has its own message, or the issues of its best-fitting member.
 * @param value the checked value, to distinguish a missing field from an invalid one
 */
export function issuesOf(error: z.ZodError, root = '', value?: unknown): ShapeIssue[] {
  return error.issues.flatMap((issue) =>
    value !== undefined && isMissing(issue, value)
      ? [{ path: joinPath(root, issue.path), message: 'is missing' }]
      : flatten(issue, root),
  );
}

function isMissing({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  if (code === 'custom' || path.length === 0) return false;
  const found = path.reduce<unknown>((part, name) => (part as Record<PropertyKey, unknown> | undefined)?.[name], value);
  return found === undefined;
}

export function firstIssue(error: z.ZodError, root = ''): ShapeIssue {
  return issuesOf(error, root)[0] ?? { path: root, message: 'does not fit' };
}

const MAX_TOLD = 8;

/** The first issue, with the others in its message, so that a person can fix all at once. */
export function wholeIssue(error: z.ZodError, root = ''): ShapeIssue {
  const [first, ...others] = issuesOf(error, root);
  if (first === undefined) return { path: root, message: 'does not fit' };
  const listed = others.slice(0, MAX_TOLD - 1).map(({ path, message }) => `; ${path}: ${message}`);
  const unlisted = others.length - listed.length;
  return {
    path: first.path,
    message: `${first.message}${listed.join('')}${unlisted > 0 ? `; and ${unlisted} more` : ''}`,
  };
}

function flatten(issue: z.core.$ZodIssue, root: string): ShapeIssue[] {
  const path = joinPath(root, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: joinPath(path, [key]), message: 'is not known here' }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== NO_MEMBER) {
    return [{ path, message: plainMessage(issue) }];
  }
  const members = issue.errors.map((issues) => issues.flatMap((inner) => flatten(inner, path)));
  return members.reduce((best, member) => (fits(member) > fits(best) ? member : best));
}

function plainMessage({ code, message }: z.core.$ZodIssue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is missing';
  return message.replace(/^(Invalid (input|option)|Too (small|big)): /, '');
}

/** For the best-fitting member of a union: deeper issues and, among equals, fewer ones are better. */
function fits(issues: readonly ShapeIssue[]): number {
  const depth = Math.min(...issues.map(({ path }) => path.split(/[.[]/).length));
  return depth * 1000 - issues.length;
}

function joinPath(root: string, path: readonly PropertyKey[]): string {
  let text = root;
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}
