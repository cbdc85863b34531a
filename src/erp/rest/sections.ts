import { FINDS } from '../rows/kinds.ts';
import type { Description, FindName, FindSection, ListSection } from './schema.ts';

/** A find inherits missing keys from its list; the find of one record only the mapping. */
export function sectionOf({ finds, lists }: Pick<Description, 'finds' | 'lists'>, name: FindName): FindSection | null {
  const section = finds?.[name];
  if (section === undefined) return null;
  const list = lists?.[FINDS[name].list];
  const isList = name !== 'order-by-id';
  const also = section.also?.map((part, index) => ({ ...inherited(list?.also?.[index], isList), ...part }));
  return { ...inherited(list, isList), ...section, ...(also && { also }) };
}

function inherited(list: Omit<ListSection, 'also'> | undefined, isList: boolean): Partial<FindSection> {
  if (list === undefined) return {};
  const { with: beside, each, where, row, items, empty, paging, as_of, complete } = list;
  const mapping = { with: beside, each, where, row };
  return isList ? { ...mapping, items, empty, paging, as_of, complete } : mapping;
}
