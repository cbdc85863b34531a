/**
 * The reason not to fetch an image from this address; null when it may be fetched. The daemon fetches from its own network,
 * where an address from the ERP may lead anywhere. So images are fetched from named hosts only.
 * @param hosts as in addresses, with the port where it is not the usual one
 */
export function addressProblem(address: string, hosts: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'is not an address that starts with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'carries a user name or a password';
  if (!hosts.includes(url.host)) return `is at ${url.host}, which products.images.hosts does not name`;
  return null;
}

/** The address as a person sees it: without the query, which may be a signature. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? address.slice(0, 200) : `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}
