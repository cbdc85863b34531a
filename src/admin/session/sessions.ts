import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionStore } from '../../store/sessions.ts';
import { type AdminKeys, type Known, proofOf, withProof } from '../access.ts';

/** A working day: then everybody logs in again. */
const LASTS_MS = 12 * 60 * 60_000;
const MOST = 1_000;
const LINK_LASTS_MS = 60 * 60_000;
const SECRET_BYTES = 32;
/** A prefix before the code of a link is hashed: no code can be used as a cookie. */
const LINK = 'link ';

/** Somebody who is logged in, by the cookie of the browser. */
interface LoggedIn {
  readonly caller: Known;
  /** The text of the cookie. */
  readonly secret: string;
}

export interface Sessions {
  /** The text of the cookie of a new session. */
  begin(caller: Known): Promise<string>;
  /** null: there is no such session, it is over, or the token or password that it began with is in force no longer. */
  find(secret: string | undefined): Promise<LoggedIn | null>;
  end(secret: string): Promise<void>;
  /** Makes a code that lets somebody in once, at any process that shares the store. */
  invite(caller: Known): Promise<string>;
  /** null: there is no such code, it was used, or the token or password behind it is in force no longer. */
  take(code: string): Promise<Known | null>;
}

/** @param keys everything that lets somebody in now */
export function createSessions(store: SessionStore, keys: () => AdminKeys, nowMs: () => number): Sessions {
  const begin = async (proof: string, prefix: string, lastsMs: number): Promise<string> => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await store.begin({ hash: proofOf(prefix + secret), proof, endsAtMs: nowMs() + lastsMs }, MOST);
    return secret;
  };
  return {
    begin: ({ proof }) => begin(proof, '', LASTS_MS),
    async find(secret) {
      if (secret === undefined) return null;
      const session = await store.get(proofOf(secret));
      const caller = session === null ? null : withProof(session.proof, keys());
      return caller === null ? null : { caller, secret };
    },
    async end(secret) {
      await store.end(proofOf(secret));
    },
    invite: ({ proof }) => begin(proof, LINK, LINK_LASTS_MS),
    async take(code) {
      const hash = proofOf(LINK + code);
      const session = await store.get(hash);
      // Several requests may bring the same code at once. Only the first one ends it.
      const isFirst = await store.end(hash);
      return session !== null && isFirst ? withProof(session.proof, keys()) : null;
    },
  };
}

/** The text that every form of a session carries: another site cannot know it. */
export function formToken(secret: string): string {
  return proofOf(`form ${secret}`);
}

export function isFormToken(given: unknown, secret: string): boolean {
  const [wanted, text] = [Buffer.from(formToken(secret)), Buffer.from(typeof given === 'string' ? given : '')];
  return wanted.length === text.length && timingSafeEqual(wanted, text);
}
