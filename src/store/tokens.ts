import type { Side } from '../domain/failure.ts';

/** Whose tokens: `source` tells one configured client and grant from another, which has tokens of its own. */
export interface TokenPlace {
  readonly account: string;
  readonly side: Side;
  readonly source: string;
}

/** What a token server gave (OAuth 2). */
export interface Tokens {
  readonly accessToken: string;
  /** null: the grant has none. */
  readonly refreshToken: string | null;
  readonly obtainedAtMs: number;
  /** null: the server does not say. */
  readonly expiresAtMs: number | null;
}

export interface KnownTokens {
  /** null: none of this source. */
  readonly tokens: Tokens | null;
  /** Rises with each that is recorded. */
  readonly version: number;
}

/** A refresh token works once, so that one process at a time may use it, and what it brought is kept before it is used. */
export interface TokenStore {
  get(place: TokenPlace): Promise<KnownTokens>;

  /** The right to ask for the ones after `version`, for so long. False: others have it, or had it. */
  claim(place: TokenPlace, version: number, holdMs: number): Promise<boolean>;

  /** The right is given back unused. */
  release(place: TokenPlace, version: number): Promise<void>;

  /** False when others have been recorded since `version`: those are in force. */
  record(place: TokenPlace, version: number, tokens: Tokens): Promise<boolean>;
}
