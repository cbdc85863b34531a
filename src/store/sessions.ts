/** Somebody who logged in, by what the browser holds. */
export interface Session {
  /** A digest of the text in the browser's cookie: what is kept here lets nobody in. */
  readonly hash: string;
  /** A digest of the token or the password's hash that was shown: once that is no longer in force, nor is the session. */
  readonly proof: string;
  /** Epoch milliseconds. */
  readonly endsAtMs: number;
}

/** Who is logged in, whichever process is asked. */
export interface SessionStore {
  /** Those that are over go, and beyond `most` those that end first. */
  begin(session: Session, most: number): Promise<void>;

  /** null: there is none, or it is over. */
  get(hash: string): Promise<Session | null>;

  /** Answers whether there was one. */
  end(hash: string): Promise<boolean>;
}
