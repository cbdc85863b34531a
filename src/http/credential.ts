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

/** The text for a second try of a call that was refused with `secret`; null: there is no other text. */
export async function otherThan(credential: Credential, secret: string): Promise<string | null> {
  const other = await credential.secret().catch(() => secret);
  return other === secret ? null : other;
}

export function credentialOf(secret: Secret): Credential {
  return typeof secret === 'string' ? { secret: async () => secret, refused: () => {} } : secret;
}
