/** The side that has a list: the names of the ERP's lists begin with `erp-`. */
export function sideOfList(list: string): 'erp' | 'marketplace' {
  return list.startsWith('erp-') ? 'erp' : 'marketplace';
}

/** The name of a list for a person: `ERP orders`. */
export function listName(list: string): string {
  return list.replace(/^erp-/, 'ERP ').replaceAll('-', ' ');
}

/** Nothing is missing before the first read of these lists: it begins at an instant that the configuration chooses. */
const BEGIN_LATER: ReadonlySet<string> = new Set(['payments']);

/** Is the time before the first read of this list a hole? */
export function isReadFromBeginning(list: string): boolean {
  return !BEGIN_LATER.has(list);
}
