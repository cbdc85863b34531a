import { isIP } from 'node:net';

/**
 * Is the server asked by an address, as localhost or by one of these names? A page of another site can make a browser ask this
 * machine under the name of that site (DNS rebinding), and read the answer. It cannot do so under an address. A request without a
 * host comes from no browser.
 * @param host the header of the request
 */
export function isServed(host: string | undefined, names: readonly string[]): boolean {
  if (host === undefined) return true;
  const name = (URL.parse(`http://${host}`)?.hostname ?? '').replace(/\.$/, '');
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || name === 'localhost' || names.some((one) => one.toLowerCase() === name);
}
