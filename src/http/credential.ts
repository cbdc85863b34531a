/** The secret by which a side knows us, as it is now. */
export interface Credential {
  /**
   * The text that goes with the next call.
   * @throws CallFailure when none can be had
   */
  secret(): Promise<string>;
  /** The side answered 401 to a call with this text: another one is looked for before the next call. */
  refused(secret: string): void;
}

/** A text that never changes, or a credential. */
export type Secret = string | Credential;

export function credentialOf(secret: Secret): Credential {
  return typeof secret === 'string' ? { secret: async () => secret, refused: () => {} } : secret;
}
