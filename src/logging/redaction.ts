/**
 * Keeps secrets and personal data out of logs, errors and stored bodies. Secrets are found by value, personal data by
 * key, e-mail addresses by form.
 */

const HIDDEN = '[redacted]';

/** A shorter text is not hidden as a secret, because that would hide half of every text. */
const SECRET_LENGTH_MIN = 4;

/**
 * Also hides escaped forms for JSON or a URL, and everything that looks like a secret.
 * @param secrets the caller may append later
 */
export function textRedactor(secrets: readonly string[]): (text: string) => string {
  let known: readonly [count: number, last: string | undefined] = [-1, undefined];
  let forms: readonly string[] = [];
  return (text) => {
    if (secrets.length !== known[0] || secrets.at(-1) !== known[1]) {
      known = [secrets.length, secrets.at(-1)];
      forms = formsOf(secrets);
    }
    // Only secrets in the text become a pattern, because one with every token of a token server would crash V8.
    const present = forms.filter((form) => text.includes(form)).map((form) => RegExp.escape(form));
    return hidePatterns(present.length === 0 ? text : text.replaceAll(new RegExp(present.join('|'), 'g'), HIDDEN));
  };
}

/** All spellings of the secrets, longest first. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets.filter(({ length }) => length >= SECRET_LENGTH_MIN).flatMap(writtenForms);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Replaces a secret that an answer may repeat by `***`. */
export function withoutSecret(text: string, secret: string): string {
  if (secret.length < SECRET_LENGTH_MIN) return text;
  const forms = writtenForms(secret).toSorted((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

/** `Bearer eyJ...`, `authorization: App xyz`, `redis://user:password@host`, and e-mail addresses. */
function hidePatterns(text: string): string {
  return text
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/g, `$1 ${HIDDEN}`)
    .replaceAll(/(\bauthorization\\*["']?\s*[:=]\s*\\*["']?)(?:App\s+)?[^\s"',\\]+/gi, (whole, key: string) =>
      whole.endsWith(HIDDEN) ? whole : `${key}${HIDDEN}`,
    )
    .replaceAll(/([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:"]{0,100}:)[^\s/@"]{1,200}@/gi, `$1${HIDDEN}@`)
    .replaceAll(/[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, HIDDEN);
}

const SECRET_KEY = /^(authorization|proxyauthorization|cookie|setcookie|xapikey|apikey|password|secret|token)$|token$/;
const PERSON_KEY =
  /^((first|last|full|middle|given|family|contact|customer|buyer|recipient)name|surname|e?mail(address)?|(tele|mobile)?phone(number)?|mobile|fax|address\w*|street\w*|city|zip(code)?|postalcode|postcode)$/;
const PERSON = /^(customer|buyer|contact|recipient|person|\w*address)s?$/;

const plainName = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

export function isSecretName(name: string): boolean {
  return SECRET_KEY.test(plainName(name));
}

/** A copy without personal data and credentials under known keys. */
export function redactKeys(value: unknown, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => redactKeys(item, parent));
  if (typeof value === 'string') return redactJson(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    const name = plainName(key);
    return [key, isTelling(name, item, parent) ? HIDDEN : redactKeys(item, name)];
  });
  return Object.fromEntries(entries);
}

/** A body that is logged as text may be JSON with keys. */
function redactJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(redactKeys(JSON.parse(text)));
  } catch {
    return text;
  }
}

function isTelling(name: string, item: unknown, parent: string): boolean {
  if (item === null || item === '' || typeof item === 'boolean') return false;
  if (SECRET_KEY.test(name)) return true;
  // An object under such a key is redacted field by field, so that its id may stay.
  if (typeof item === 'object') return false;
  if (PERSON_KEY.test(name)) return true;
  // A `name` alone may be a product's name, and a `customer` alone an id.
  return name === 'name' ? PERSON.test(parent) : PERSON.test(name) && typeof item === 'string' && !/^\d+$/.test(item);
}
