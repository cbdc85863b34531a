export interface Nudges {
  nudge(key: string, fire: () => void): void;
  stop(): void;
}

/** Fires at once for the first nudge of a key, and at most once per `debounceMs` for those that follow. */
export function createNudges(debounceMs: number): Nudges {
  const resting = new Map<string, { readonly timer: NodeJS.Timeout; again: (() => void) | null }>();

  function fireAndRest(key: string, fire: () => void): void {
    const timer = setTimeout(() => {
      const again = resting.get(key)?.again ?? null;
      resting.delete(key);
      if (again !== null) fireAndRest(key, again);
    }, debounceMs);
    timer.unref();
    resting.set(key, { timer, again: null });
    fire();
  }

  return {
    nudge(key, fire) {
      const rest = resting.get(key);
      if (rest === undefined) fireAndRest(key, fire);
      else rest.again = fire;
    },
    stop() {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
