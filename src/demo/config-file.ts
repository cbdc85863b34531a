export interface ConfigParts {
  /** Where the daemon keeps its data. */
  readonly dataDir: string;
  readonly receiverPort: number;
  readonly adminPort: number;
  readonly marketplace: { readonly url: string; readonly key: string; readonly sellerId: number };
  readonly erp: { readonly url: string; readonly token: string };
  readonly webhookSecret: string;
  readonly strategy: 'a' | 'b' | 'c';
  /** How often the sides are read. */
  readonly poll: { readonly orders: string; readonly products: string; readonly erp: string };
}

/** The configuration file of the demo's daemon, as an engineer would write it. */
export function configText({ marketplace, erp, poll, ...parts }: ConfigParts): string {
  return `# The configuration of the running demo. It goes away with it.
version: 1
state: { dir: ${JSON.stringify(parts.dataDir)} }
webhooks: { listen: 127.0.0.1:${parts.receiverPort} }
admin: { listen: 127.0.0.1:${parts.adminPort} }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: ${marketplace.sellerId}
      timeout: 5s
      poll: { orders: ${poll.orders}, products: ${poll.products}, overlap: 2m }
      webhooks: { secret: ${parts.webhookSecret} }
      # Only fulfill is documented; this marketplace knows these two as well.
      transitions: { accept: accept, reject: reject }
    erp: { type: http, url: "${erp.url}", token: ${erp.token}, poll: ${poll.erp}, timeout: 5s }
    inventory: { strategy: ${parts.strategy} }
    # A dozen products: the usual share of five percent would be less than one.
    brakes: { archive: { percent: 50 }, zero: { percent: 50 } }
`;
}
