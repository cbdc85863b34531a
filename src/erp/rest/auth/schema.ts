import { z } from 'zod';
import { bearerSection, oauth2Section } from '../../../settings/auth.ts';
import { doc, duration, flag, headerName, secret, text, wholeNumber } from '../../../settings/scalars.ts';
import { expression, loginSection } from '../texts.ts';

export const auth = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: doc(z.literal('none'), 'It asks for nothing.') }),
  z.strictObject({
    scheme: doc(z.literal('basic'), 'Sent as "Authorization: Basic".'),
    user: doc(text(200), 'The name of the user.'),
    password: doc(secret(), 'The password of that user.'),
  }),
  bearerSection,
  z.strictObject({
    scheme: doc(z.literal('header'), 'Sent in a header of its own, such as X-Api-Key.'),
    header: doc(headerName(), 'The name of the header.'),
    prefix: doc(text(40), 'The text in front of the key, such as "token ".').optional(),
    key: doc(secret(), 'The key.'),
  }),
  z.strictObject({
    scheme: doc(z.literal('query'), 'Sent as a parameter of each address.'),
    parameter: doc(text(100), 'The name of the parameter, such as api_key.'),
    key: doc(secret(), 'The key.'),
  }),
  oauth2Section,
  z.strictObject({
    scheme: doc(z.literal('oauth1'), 'OAuth 1.0a: each call is signed with HMAC-SHA256.'),
    consumer_key: doc(text(200), 'The key of this client.'),
    consumer_secret: doc(secret(), 'Its secret.'),
    token_id: doc(text(200), 'The token of the user.'),
    token_secret: doc(secret(), 'Its secret.'),
    realm: doc(text(200), 'The realm, where one is asked for, such as the account.').optional(),
  }),
  z.strictObject({
    scheme: doc(z.literal('session'), 'A login gives a token or cookies, which go with each call until they expire.'),
    user: doc(text(200), 'The name of the user, as {{ $user }} of the login.'),
    password: doc(secret(), 'The password, as {{ $password }} of the login.'),
    login: doc(loginSection(), 'The call that logs in.'),
    token: doc(
      expression('$headers', '$status'),
      'Over the answer of the login: the token. Without it, its cookies are sent.',
    ).optional(),
    sent: doc(
      z.enum(['header', 'call']).prefault('header'),
      'header: the token or the cookies go in a header. call: the templates of the calls place them, as {{ $auth.token }}, {{ $auth.user }} and {{ $auth.password }}.',
    ),
    header: doc(headerName().prefault('Authorization'), 'The header that carries the token.'),
    prefix: doc(z.string().max(40).prefault('Bearer '), 'The text in front of the token.'),
    expired: doc(
      z
        .strictObject({
          status: doc(z.array(wholeNumber(100, 599)).prefault([401]), 'These statuses.'),
          html: doc(flag().prefault(false), 'A page and no JSON, such as a login page.'),
          body: doc(expression('$status', '$headers'), 'Over the answer: this holds.').optional(),
        })
        .prefault({}),
      'The answers that say that the session is over. A read is asked once more after a new login; a write is not repeated.',
    ),
    lifetime: doc(duration('1s'), 'A session is not used for longer.').optional(),
  }),
]);
export type AuthSection = z.output<typeof auth>;
