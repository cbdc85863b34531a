import type { Side } from '../domain/failure.ts';

/**
 * The side to which tokens give access. `source` names the configured client and grant. Each client and grant has its own
 * tokens.
 */
export interface TokenPlace {
  readonly account: string;
  readonly side: Side;
  readonly source: string;
}

/** The tokens that a token server gave (OAuth 2). */
export interface Tokens {
  readonly accessToken: string;
  /** null: the grant has no refresh token. */
  readonly refreshToken: string | null;
  readonly obtainedAtMs: number;
  /** null: the server does not say. */
  readonly expiresAtMs: number | null;
}

export interface KnownTokens {
  /** null: there are no tokens of this source. */
  readonly tokens: Tokens | null;
  /** A number that rises with each recording. */
  readonly version: number;
}

/** A refresh token works once. So one process at a time may use it, and the new tokens are stored before they are used. */
export interface TokenStore {
  get(place: TokenPlace): Promise<KnownTokens>;

  /** Takes the right to ask for the tokens after `version`, for `holdMs`. False: another process has this right, or had it. */
  claim(place: TokenPlace, version: number, holdMs: number): Promise<boolean>;

  /** Gives the right back unused. */
  release(place: TokenPlace, version: number): Promise<void>;

  /** Records new tokens. False: other tokens have been recorded since `version`, and those are in force. */
  record(place: TokenPlace, version: number, tokens: Tokens): Promise<boolean>;
}
