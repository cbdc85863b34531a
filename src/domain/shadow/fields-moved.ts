type Entity = Readonly<Record<string, unknown>>;

/**
 * Returns whether one of the fields differs. A field missing in `after` counts as equal, because answers and webhooks
 * need not contain the full entity.
 */
export function fieldsMoved(names: readonly string[], before: Entity, after: Entity): boolean {
  return names.some(
    (name) => after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
