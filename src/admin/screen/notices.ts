const MOST = 500;

/** Sentences for the next page of a session. They are kept by this process, and lost with it. */
export function createNotices() {
  const waiting = new Map<string, string>();
  return {
    put(session: string, said: string): void {
      waiting.delete(session);
      waiting.set(session, said);
      const [oldest] = waiting.keys();
      if (waiting.size > MOST && oldest !== undefined) waiting.delete(oldest);
    },
    take(session: string): string | null {
      const said = waiting.get(session) ?? null;
      waiting.delete(session);
      return said;
    },
  };
}
