import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

/**
 * Addresses that no name of an image host may lead to: this machine, its links, and where a cloud tells a machine its keys. Private
 * networks are allowed, since the ERP's own server of images stands in one.
 */
const OFF_LIMITS = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const)
  OFF_LIMITS.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
] as const)
  OFF_LIMITS.addSubnet(network, bits, 'ipv6');

export const OFF_LIMITS_CODE = 'OFF_LIMITS';

class OffLimits extends Error {
  override readonly name = 'OffLimits';
  readonly code = OFF_LIMITS_CODE;

  constructor(found: readonly LookupAddress[]) {
    super(`resolves to ${found.map(({ address }) => address).join(', ')}, which products.images.hosts does not name`);
  }
}

export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void,
) => void;

const ofSystem: Resolve = (host, done) => {
  lookup(host, { all: true }, done);
};

/**
 * Resolves the host of an image for the connection itself, so that no second answer of the DNS can be another one. Whoever answers
 * for a host may name any address in the network of this machine. `localhost`, and an address in place of a name, are what the
 * configuration says: they are not checked.
 */
export function imageLookup(resolve: Resolve = ofSystem): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, found) => {
      if (error !== null) return done(error, '');
      const fit = host === 'localhost' ? found : found.filter((one) => !isOffLimits(one));
      const [first] = fit;
      if (first === undefined) done(new OffLimits(found), '');
      else if (options.all === true) done(null, [...fit]);
      else done(null, first.address, first.family);
    });
  };
}

function isOffLimits({ address, family }: LookupAddress): boolean {
  return OFF_LIMITS.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
