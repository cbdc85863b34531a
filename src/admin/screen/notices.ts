const MOST = 500;

/** An act with the fields of its form. */
export interface Deed {
  readonly act: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

/** A form that was refused. The page shows it again, as it was filled. */
export interface Refusal extends Deed {
  readonly fields: Readonly<Record<string, string>>;
  /** The field that is wrong; null: none, or it is not known which. */
  readonly field: string | null;
  readonly detail: string;
}

/** A sentence for the next page of a session, with the act that takes back what was done, or the form that was refused. */
export interface Notice {
  readonly said: string;
  readonly undo?: Deed | undefined;
  readonly refused?: Refusal | undefined;
}

/** Notices for the next page of a session. They are kept by this process, and lost with it. */
export function createNotices() {
  const waiting = new Map<string, Notice>();
  return {
    put(session: string, notice: Notice): void {
      waiting.delete(session);
      waiting.set(session, notice);
      const [oldest] = waiting.keys();
      if (waiting.size > MOST && oldest !== undefined) waiting.delete(oldest);
    },
    take(session: string): Notice | null {
      const notice = waiting.get(session) ?? null;
      waiting.delete(session);
      return notice;
    },
  };
}
