/** The secret that identifies us to a side, as it is now. */
export interface Credential {
  /**
   * The text that goes with the next call.
   * @throws CallFailure when none can be had
   */
  secret(): Promise<string>;
  /** The side answered 401 to a call with this text. The next call looks for another text first. */
  refused(secret: string): void;
}

/** A text that never changes, or a credential. */
export type Secret = string | Credential;

export function credentialOf(secret: Secret): Credential {
  return typeof secret === 'string' ? { secret: async () => secret, refused: () => {} } : secret;
}
