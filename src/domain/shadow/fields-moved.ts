type Entity = Readonly<Record<string, unknown>>;

/**
 * Whether one of these fields differs between two bodies of an entity. A field that is missing from the second body counts as
 * equal: answers and webhooks need not show the whole entity.
 */
export function fieldsMoved(names: readonly string[], before: Entity, after: Entity): boolean {
  return names.some(
    (name) => after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
