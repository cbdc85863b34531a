import type { AccountConfig } from '../../config/resolve.ts';
import { shownPath } from '../../marketplace/operations/moved.ts';
import { type Operation, permissionText } from '../../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../../marketplace/operations/table.ts';
import { applyOverride } from '../../marketplace/request.ts';
import { exampleOf } from './example.ts';
import { jsonSchemaOf } from './schema.ts';

type Source = Operation['provenance'] | 'overridden';

/** A line of a list of operations, with the account's overrides. */
export interface Outline {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly source: Source;
  readonly permission: string;
  readonly summary: string;
}

/** @param account null: no configuration */
export function outline(operation: Operation, account: AccountConfig | null): Outline {
  const override = account?.marketplace.operations[operation.id as OperationId];
  const mine = applyOverride(operation, override);
  const { id, method, provenance, permission, summary } = mine;
  const path = shownPath(mine);
  const source = override === undefined ? provenance : 'overridden';
  return { id, method, path, source, permission: permissionText(permission), summary };
}

/** The operations of a family or with the word in their name; without a word, all. */
export function outlines(word: string | undefined, account: AccountConfig | null): Outline[] {
  const all = (Object.values(OPERATIONS) as Operation[]).map((operation) => outline(operation, account));
  if (word === undefined) return all;
  const family = all.filter(({ id }) => familyOf(id) === word);
  const wanted = word.toLowerCase();
  const isAbout = ({ id, path, summary }: Outline) =>
    [id, path, summary].some((text) => text.toLowerCase().includes(wanted));
  return family.length > 0 ? family : all.filter(isAbout);
}

/** `orders` of `orders.list` */
export function familyOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

export function description(operation: Operation, account: AccountConfig | null) {
  const { body, bodyEncoding, pathParams, query, paging, section, effect } = operation;
  const { params, body: exampleBody, files } = exampleOf(operation);
  return {
    ...outline(operation, account),
    section,
    paging,
    effect,
    pathParameters: jsonSchemaOf(pathParams),
    queryParameters: jsonSchemaOf(query),
    body: body === null ? null : jsonSchemaOf(body),
    bodyEncoding: body === null ? null : (bodyEncoding ?? 'json'),
    example: { params, body: exampleBody === null ? null : JSON.stringify(exampleBody), files },
  };
}
