const MAX_CHARS = 500;
const MAX_MARKUP_CHARS = 4000;
const MAX_PARTS = 10;
const MAX_DEPTH = 6;

/**
 * One line of at most 500 characters; '': no reason. The shape of error bodies is undocumented (spec 1, Errors):
 * `{"detail": "..."}`, `{"field": ["..."]}` at any depth, and plain text are read.
 */
export function refusalText(text: string): string {
  let reason = text;
  try {
    const parts: string[] = [];
    collect(JSON.parse(text), '', 0, parts);
    reason = parts.slice(0, MAX_PARTS).join('; ');
    if (parts.length > MAX_PARTS) reason += `; and ${parts.length - MAX_PARTS} more`;
  } catch {
    // Not JSON: the text without markup is the reason.
    reason = text.slice(0, MAX_MARKUP_CHARS).replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ');
  }
  const line = reason.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
}

function collect(value: unknown, path: string, depth: number, parts: string[]): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    // A list of messages belongs to its field; a list of objects describes entries.
    for (const [index, entry] of value.entries()) {
      collect(entry, isObject(entry) ? `${path}[${index}]` : path, depth + 1, parts);
    }
    return;
  }
  if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) collect(entry, fieldPath(path, key), depth + 1, parts);
    return;
  }
  if (value === null || value === '') return;
  const valueText = typeof value === 'string' ? value : JSON.stringify(value);
  parts.push(path === '' ? valueText : `${path}: ${valueText}`);
}

/** `detail` and the like name no field. */
function fieldPath(path: string, key: string): string {
  if (key === 'detail' || key === 'non_field_errors' || key === 'message' || key === 'error') return path;
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
