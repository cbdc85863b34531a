import { InvalidArgumentError } from 'commander';
import { type Preset, readPresetNamed } from '../config/presets.ts';
import { DEFAULT_SETTINGS, type Settings } from '../sandbox/marketplace/settings.ts';
import type { WebhookTarget } from '../sandbox/marketplace/webhook-sender.ts';

/** A deployment that the sandbox plays. */
export interface Deployment {
  readonly settings: Partial<Settings>;
  /** How webhooks are signed, where it differs. */
  readonly webhooks: Pick<WebhookTarget, 'header' | 'algorithm' | 'encoding' | 'prefix'>;
}

/** The option `--deployment`. */
export function deploymentOf(wanted: string): Deployment {
  try {
    const preset = readPresetNamed(wanted, '.');
    return { settings: settingsOf(preset), webhooks: preset.marketplace?.webhooks ?? {} };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function settingsOf({ marketplace = {}, inventory = {}, products = {} }: Preset): Partial<Settings> {
  const { version, version_header: versionHeader, statuses = {}, operations, transitions = {} } = marketplace;
  const { reference_prefix: referencePrefix, fields } = marketplace;
  const { discount, shipping, tax, total, delivery_address } = fields?.order ?? {};
  const names = { discount_amount: discount, shipping_charge: shipping, tax_amount: tax, total, delivery_address };
  const set = {
    versions: version === undefined ? undefined : [version],
    versionHeader,
    operations,
    referencePrefix,
    orderFieldNames: Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined)),
    statusWords: Object.fromEntries(Object.entries(statuses).map(([theirs, ours]) => [ours, theirs])),
    transitions: renamed(transitions),
    requiredProductFields: products.required,
    lineQuantityIn: inventory.line_quantity_in,
    stockIn: inventory.stock_in,
    pricePer: marketplace.price_per,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

/** The transitions of the sandbox, by the names that a deployment gives them. */
function renamed(names: Readonly<Record<string, string | undefined>>): Settings['transitions'] {
  const rules = Object.entries(DEFAULT_SETTINGS.transitions);
  return Object.fromEntries(rules.map(([name, rule]) => [names[name] ?? name, rule]));
}
