export interface Session {
  /** Digest of the cookie's text. The digest alone does not let anybody in. */
  readonly hash: string;
  /** Digest of the token or of the password's hash. The session ends when either is no longer in force. */
  readonly proof: string;
  readonly endsAtMs: number;
}

export interface SessionStore {
  /**
   * Adds a session and removes ended ones. Beyond `most` of the same proof, the first to end are removed, so repeated
   * logins end nobody else's session.
   */
  begin(session: Session, most: number): Promise<void>;

  /** null: unknown or ended. */
  get(hash: string): Promise<Session | null>;

  end(hash: string): Promise<boolean>;
}
