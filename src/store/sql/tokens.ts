import type { TokenPlace, TokenStore } from '../tokens.ts';
import { and, eq, lte, ne } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { rowBy } from './queries.ts';
import { tokens } from './tables/tokens.ts';

const find = rowBy(tokens, 'account', 'side', 'source');
const of = ({ account, side }: TokenPlace) => and(eq(tokens.account, account), eq(tokens.side, side));
const at = (place: TokenPlace, version: number) =>
  and(of(place), eq(tokens.source, place.source), eq(tokens.version, version));

export const tokenReads = {
  get({ db }, place) {
    const row = find(db, place);
    if (row === undefined) return { tokens: null, version: 0 };
    const { version, accessToken, refreshToken, obtainedAtMs, expiresAtMs } = row;
    return { tokens: accessToken === '' ? null : { accessToken, refreshToken, obtainedAtMs, expiresAtMs }, version };
  },
} satisfies Reads<TokenStore>;

export const tokenWrites = {
  claim({ tx, nowMs }, { account, side, source }, version, holdMs) {
    const place = { account, side, source };
    if (version === 0) {
      const none = { version, claimedUntilMs: 0, obtainedAtMs: 0 };
      tx.insert(tokens)
        .values({ ...place, ...none })
        .onConflictDoNothing()
        .run();
    }
    const { changes } = tx
      .update(tokens)
      .set({ claimedUntilMs: nowMs + holdMs })
      .where(and(at(place, version), lte(tokens.claimedUntilMs, nowMs)))
      .run();
    return changes > 0;
  },

  release({ tx }, place, version) {
    tx.update(tokens).set({ claimedUntilMs: 0 }).where(at(place, version)).run();
  },

  record({ tx }, place, version, given) {
    const { changes } = tx
      .update(tokens)
      .set({ ...given, version: version + 1, claimedUntilMs: 0 })
      .where(at(place, version))
      .run();
    // Deletes the tokens of this account and side that an earlier client, token server or first refresh token gave.
    if (changes > 0)
      tx.delete(tokens)
        .where(and(of(place), ne(tokens.source, place.source)))
        .run();
    return changes > 0;
  },
} satisfies Writes<TokenStore>;
