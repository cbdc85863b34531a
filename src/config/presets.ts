import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { presetFileOf } from '../erp/connectors.ts';
import { doc, text } from '../settings/scalars.ts';
import { type Loose, section } from './contradictions.ts';
import { readDocument, type SourceFile } from './document.ts';
import { parseSource } from './issues.ts';
import { marketplace, operationPlaces, webhookCheck } from './marketplace.ts';
import { dotted } from './path.ts';
import { ConfigError, inOrder, type Problem } from './problem.ts';
import { products } from './products.ts';
import { readText } from './references.ts';
import { inventory } from './schema.ts';
import { didYouMean } from './suggest.ts';

/** The settings of a kind of deployment that the specs leave open. A preset has no secret. */
const presetFile = z.strictObject({
  about: doc(text(500), 'The deployments that it describes.'),
  proven: doc(text(200), 'Whether it was tried against a live one.'),
  marketplace: z
    .strictObject({
      version: marketplace.shape.version,
      version_header: marketplace.shape.version_header,
      webhooks: webhookCheck.omit({ secret: true }).partial(),
      transitions: marketplace.shape.transitions,
      statuses: marketplace.shape.statuses,
      discount_types: marketplace.shape.discount_types,
      listing_states: marketplace.shape.listing_states,
      fields: marketplace.shape.fields,
      operations: operationPlaces,
      reference_prefix: marketplace.shape.reference_prefix,
      price_per: marketplace.shape.price_per,
      limits: marketplace.shape.limits,
    })
    .partial()
    .optional(),
  inventory: z
    .strictObject({ line_quantity_in: inventory.shape.line_quantity_in, stock_in: inventory.shape.stock_in })
    .partial()
    .optional(),
  products: z
    .strictObject({
      required: products.shape.required,
      create_fields: products.shape.create_fields,
      restore_fields: products.shape.restore_fields,
      references_as: products.shape.references_as,
    })
    .partial()
    .optional(),
});

export type Preset = z.input<typeof presetFile>;

export interface Extended {
  readonly account: string;
  readonly preset: string;
  /** null: unknown. */
  readonly proven: string | null;
}

const SHIPPED = fileURLToPath(new URL('./presets/', import.meta.url));
const SHIPPED_ERPS = fileURLToPath(new URL('../erp/presets/', import.meta.url));
const FILE_BYTES_MAX = 256 * 1024;

/** The configuration takes precedence. An account with an invalid preset stays without it. */
export function withPresets(
  source: SourceFile,
  folder: string,
): {
  readonly value: unknown;
  readonly extended: readonly Extended[];
  readonly problems: readonly Problem[];
  readonly erps: ReadonlyMap<string, ErpPreset>;
} {
  const [extended, problems]: [Extended[], Problem[]] = [[], []];
  const erps = new Map<string, ErpPreset>();
  const accounts = Object.entries(section(section(source.value)['accounts'])).map(
    ([name, account]): [string, unknown] => {
      const found = (side: 'marketplace' | 'erp', shipped: string): Found | null => {
        const wanted = section(section(account)[side])['extends'];
        if (typeof wanted !== 'string') return null;
        const path = presetPath(wanted, folder, shipped);
        const read = readText(path, FILE_BYTES_MAX);
        if (!('error' in read)) return { wanted, path, content: read.text };
        const at = ['accounts', name, side, 'extends'];
        problems.push({ ...source.place(at, 'value'), path: dotted(at), message: whyNot(wanted, read.error, shipped) });
        return null;
      };
      const fitting = <Read>(
        { path, content }: Found,
        read: (...file: [string, string, string]) => Read,
      ): Read | null => {
        try {
          return read(path, content, folder);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          problems.push(...error.problems.map((one) => ({ file: path, ...one, account: name })));
          return null;
        }
      };
      const [theirs, ours] = [found('marketplace', SHIPPED), found('erp', SHIPPED_ERPS)];
      let whole = section(account);
      const preset = theirs === null ? null : fitting(theirs, readPreset);
      if (theirs !== null && preset !== null) {
        extended.push({ account: name, preset: theirs.wanted, proven: preset.proven });
        whole = underneath(preset, whole);
      }
      const described = ours === null ? null : fitting(ours, readErpPreset);
      if (ours !== null && described !== null) {
        const { type, description, needs, proven, read } = described;
        if (type !== section(whole['erp'])['type']) {
          const at = ['accounts', name, 'erp', 'extends'];
          problems.push({
            ...source.place(at, 'value'),
            path: dotted(at),
            message: `is a description for type: ${type}`,
          });
        }
        extended.push({ account: name, preset: ours.wanted, proven });
        erps.set(name, { file: isName(ours.wanted) ? `${ours.wanted}.yaml` : ours.wanted, source: read });
        whole = { ...whole, erp: merged(description, whole['erp']) };
        for (const [key, meaning] of Object.entries(needs)) {
          if (section(section(whole['erp'])['settings'])[key] !== undefined) continue;
          const at = ['accounts', name, 'erp', 'settings', key];
          problems.push({ ...source.place(at, 'key'), path: dotted(at), message: `is missing: ${meaning}` });
        }
      }
      return [name, theirs === null && ours === null ? account : whole];
    },
  );
  if (extended.length === 0) return { value: source.value, extended, problems, erps };
  return { value: { ...section(source.value), accounts: Object.fromEntries(accounts) }, extended, problems, erps };
}

export interface ErpPreset {
  readonly file: string;
  readonly source: SourceFile;
}

interface Found {
  readonly wanted: string;
  readonly path: string;
  readonly content: string;
}

/** A shipped preset by name, or a deployment's file. */
function presetPath(wanted: string, folder: string, shipped = SHIPPED): string {
  return isName(wanted) ? resolve(shipped, `${wanted}.yaml`) : resolve(folder, wanted);
}

const isName = (wanted: string): boolean => /^[a-z0-9-]+$/.test(wanted);

/** @throws ConfigError when there is none, or with every problem at its place in the preset */
export function readPresetNamed(wanted: string, folder: string): Preset {
  const path = presetPath(wanted, folder);
  const read = readText(path, FILE_BYTES_MAX);
  if (!('error' in read)) return readPreset(path, read.text, folder);
  throw new ConfigError(wanted, [{ line: null, column: null, path: '', message: whyNot(wanted, read.error) }]);
}

function readPreset(path: string, content: string, folder: string): Preset {
  return readFitting(() => presetFile, path, content, folder).value as Preset;
}

function readErpPreset(path: string, content: string, folder: string) {
  const read = readFitting((value) => presetFileOf(section(value)['type']), path, content, folder);
  const { about: _a, not: _n, rights: _r, try: _t, type = 'rest', proven, needs, ...description } = section(read.value);
  return {
    type: String(type),
    description,
    needs: section(needs) as Record<string, string>,
    proven: typeof proven === 'string' ? proven : null,
    read,
  };
}

/** @throws ConfigError with every problem at its place in the preset */
function readFitting(
  schemaOf: (value: unknown) => z.ZodType,
  path: string,
  content: string,
  folder: string,
): SourceFile {
  const source = readDocument(content, { env: {}, folder });
  const parsed = source.readable
    ? parseSource(schemaOf(source.value), source)
    : ({ success: false, problems: [] } as const);
  const problems = [...source.problems, ...(parsed.success ? [] : parsed.problems)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(path, inOrder(problems));
  return source;
}

function whyNot(wanted: string, error: string, shipped = SHIPPED): string {
  if (!isName(wanted)) return `the file ${wanted} ${error}`;
  const names = readdirSync(shipped).map((file) => file.replace(/\.yaml$/, ''));
  const hint = didYouMean(wanted, names) || `; shipped is ${names.join(', ')}.`;
  return `no such preset is shipped${hint} A file of yours is named with its ending, such as ./deployment.yaml`;
}

function underneath(preset: Preset, account: Loose): Loose {
  const { marketplace: theirs, products: listings, inventory: stock } = preset;
  const own = section(account['marketplace']);
  // How webhooks are signed matters only with a secret.
  const { webhooks: _, ...unsigned } = section(theirs);
  return {
    ...account,
    marketplace: merged(own['webhooks'] === undefined ? unsigned : theirs, own),
    ...(listings === undefined ? {} : { products: merged(listings, account['products'] ?? {}) }),
    ...(stock === undefined ? {} : { inventory: merged(stock, account['inventory'] ?? {}) }),
  };
}

/** Merges section by section; `own` takes precedence. Lists, and sections of different kinds, are not merged. */
function merged(base: unknown, own: unknown): unknown {
  if (own === undefined) return base;
  if (!isSection(base) || !isSection(own) || KINDS.some((key) => differ(base[key], own[key]))) return own;
  const names = new Set([...Object.keys(base), ...Object.keys(own)]);
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], own[name])]));
}

/** The keys that name the kind of a section, which decides its other keys. */
const KINDS = ['scheme', 'by'];

function differ(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function isSection(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
