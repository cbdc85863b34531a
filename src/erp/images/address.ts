/**
 * Why an image must not be fetched from this address; null: it may. An address from the ERP could reach the daemon's
 * own network, so only named hosts are allowed.
 * @param hosts with the port if it is not the default
 */
export function addressProblem(address: string, hosts: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'is not an address that starts with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'carries a user name or a password';
  if (!hosts.includes(url.host)) return `is at ${url.host}, which products.images.hosts does not name`;
  return null;
}

/** Without the query, which may be a signature. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? address.slice(0, 200) : `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}
