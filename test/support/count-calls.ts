import type { Store } from '../../src/store/store.ts';

/** A store that notes every call, as "orders.get". */
export function countCalls(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const noting = (part: object, name: string) =>
    new Proxy(part, {
      get(target, method) {
        const found: unknown = Reflect.get(target, method);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          calls.push(`${name}.${String(method)}`);
          return Reflect.apply(found, target, args);
        };
      },
    });
  const parts = Object.entries(store as unknown as Readonly<Record<string, object>>).map(([name, part]) => {
    const noted = typeof part === 'function' ? part : noting(part, name);
    return [name, noted] as const;
  });
  const counted: unknown = Object.fromEntries(parts);
  return { store: counted as Store, calls };
}
