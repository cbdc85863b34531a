/** The names of ERP lists begin with `erp-`. */
export function sideOfList(list: string): 'erp' | 'marketplace' {
  return list.startsWith('erp-') ? 'erp' : 'marketplace';
}

/** `ERP orders`. */
export function listName(list: string): string {
  return list.replace(/^erp-/, 'ERP ').replaceAll('-', ' ');
}

/** Lists whose first read begins at a configured instant. */
const BEGIN_LATER: ReadonlySet<string> = new Set(['payments']);

/** Returns whether time before this list's first read counts as a gap. */
export function isReadFromBeginning(list: string): boolean {
  return !BEGIN_LATER.has(list);
}
