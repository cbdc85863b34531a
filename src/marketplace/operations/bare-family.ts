import { z } from 'zod';
import { BY_ID } from './limits.ts';
import { operation, type Permission, SEARCH_QUERY } from './operation.ts';

/**
 * The operations of a family that spec 1 names in its table of permissions and of which no document shows a field.
 * Whoever uses it picks the methods that the table grants. The table shows the path of the collection; that of one
 * record is assumed.
 */
export function bareFamily(
  name: string,
  anyOf: Permission['anyOf'],
  words: { readonly one: string; readonly many: string },
) {
  const id = (verb: string) => `${name}.${verb}`;
  const collection = {
    path: `/${name}/`,
    provenance: 'documented',
    section: '1, Authentication, Permissions',
  } as const;
  const one = { ...collection, path: `/${name}/{id}/`, provenance: 'assumed', pathParams: BY_ID } as const;
  const read = { permission: { anyOf, access: 'read' } } as const;
  const write = { permission: { anyOf, access: 'write' } } as const;
  const record = z.looseObject({ id: z.int() });
  const body = z.looseObject({});
  return {
    list: operation({
      ...collection,
      ...read,
      id: id('list'),
      summary: `List the ${words.many}`,
      method: 'GET',
      query: z.strictObject(SEARCH_QUERY),
      answer: record,
      paging: 'page',
    }),
    get: operation({ ...one, ...read, id: id('get'), summary: `Get one ${words.one}`, method: 'GET', answer: record }),
    create: operation({
      ...collection,
      ...write,
      id: id('create'),
      summary: `Create a ${words.one}`,
      method: 'POST',
      body,
      answer: record,
    }),
    patch: operation({
      ...one,
      ...write,
      id: id('patch'),
      summary: `Change a ${words.one}`,
      method: 'PATCH',
      body,
      answer: record.partial().nullable(),
    }),
    delete: operation({
      ...one,
      ...write,
      id: id('delete'),
      summary: `Delete a ${words.one}`,
      method: 'DELETE',
      answer: z.unknown(),
    }),
  } as const;
}
