export interface Credential {
  /** @throws CallFailure when none can be obtained */
  secret(): Promise<string>;
  /** Called after a 401 to this secret. The next call looks for another one first. */
  refused(secret: string): void;
}

/** A fixed secret, or a renewable one. */
export type Secret = string | Credential;

/** The secret for a second try of a refused call; null: there is no other. */
export async function renewedSecret(credential: Credential, secret: string): Promise<string | null> {
  const other = await credential.secret().catch(() => secret);
  return other === secret ? null : other;
}

export function credentialOf(secret: Secret): Credential {
  return typeof secret === 'string' ? { secret: async () => secret, refused: () => {} } : secret;
}
