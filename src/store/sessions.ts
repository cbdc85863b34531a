/** The session of somebody who logged in. */
export interface Session {
  /** A digest of the text in the browser's cookie. Nobody can log in with the digest alone. */
  readonly hash: string;
  /** A digest of the token or of the password's hash. When the token or password is no longer in force, the session ends too. */
  readonly proof: string;
  readonly endsAtMs: number;
}

/** The sessions of everybody who is logged in. All processes share them. */
export interface SessionStore {
  /**
   * Adds a session. Sessions that are over are removed. Beyond `most` sessions of the same proof, those that end first are removed too:
   * whoever logs in again and again ends nobody else's session.
   */
  begin(session: Session, most: number): Promise<void>;

  /** null: there is no such session, or it is over. */
  get(hash: string): Promise<Session | null>;

  /** Answers whether there was such a session. */
  end(hash: string): Promise<boolean>;
}
