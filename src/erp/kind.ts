import { z } from 'zod';
import type { Counted, UnitsOfSide } from '../domain/units.ts';
import type { Credential } from '../http/credential.ts';
import type { OAuth } from '../settings/auth.ts';
import { doc, duration, durationMs } from '../settings/scalars.ts';
import {
  type CapabilitiesFile,
  capabilitiesSection,
  resolveCapabilities,
  type StatedCapabilities,
} from './capabilities.ts';
import type { ErpConnector } from './connector.ts';
import type { OnPace } from './places.ts';
import type { Wire } from './wire.ts';

/** All that the program knows of a kind of connector. Each folder exports one, registered in `connectors.ts`. */
export interface ConnectorKind<Section extends ErpSection = ErpSection> {
  readonly type: string;
  /** A strict object with a literal `type` and `commonKeys`. Checks across keys are refinements. */
  readonly schema: SectionSchema<Section>;
  /** Advice when the ERP does not answer or rejects the credentials: "is it up, and erp.url right?" */
  readonly mends: { readonly down: string; readonly credentials: string };
  /** The choices of `stockbridge init`, by name. */
  readonly offers: Readonly<Record<string, Offer>>;
  /** Valid but probably unintended settings, by their paths in the section. */
  doubts?(section: Section): readonly { readonly path: readonly string[]; readonly message: string }[];
  settings(section: Section): ErpSettings;
  /**
   * Opens the connector without contacting the ERP. It imports the calling code lazily, since a configuration is also
   * read where no call is made.
   */
  open(section: Section, parts: ErpParts): Promise<ErpConnector>;
}

export interface Offer {
  readonly about: string;
  readonly where: string;
  /** The default variable of its secret; null: none, or the description names it. */
  readonly secret: string | null;
  readonly settings: readonly string[];
  /** The guide page about the description that a person writes; null: none is needed. */
  readonly described: string | null;
  /** The section `erp`, or what is wrong with the answers. */
  section(answers: Answers): object | { readonly problem: string };
}

export interface Answers {
  readonly url: string;
  /** As in `${env:ERP_TOKEN}`; null: none. */
  readonly secret: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The section keys from a person's description. Other answers win. */
  readonly description: Readonly<Record<string, unknown>>;
}

export const ADDRESS_QUESTION = 'Where is it?';

type SectionSchema<Section> = z.core.$ZodTypeDiscriminable & z.ZodType<Section>;

export interface ErpSection {
  readonly type: string;
  readonly poll: string;
  readonly timeout: string;
  readonly capabilities?: CapabilitiesFile | undefined;
  readonly price_per: UnitsOfSide['pricePer'];
  readonly stock_in: Counted;
  readonly lines_in: Counted;
}

export const commonKeys = {
  poll: doc(duration('100ms').prefault('15s'), 'How often changes are read.'),
  timeout: doc(duration('100ms').prefault('30s'), 'How long a call may take.'),
  capabilities: doc(
    capabilitiesSection,
    'The abilities of the ERP. An ability that is left out is as the ERP says itself, or else as in version 1 of the ERP HTTP contract.',
  ).optional(),
  price_per: doc(
    z.enum(['unit', 'case']).prefault('unit'),
    "The price of a product is that of one ERP unit, or of a case, the marketplace's sold-in unit.",
  ),
  stock_in: doc(
    z.enum(['units', 'cases']).prefault('units'),
    "What the ERP's stock figures count: ERP units, or cases.",
  ),
  lines_in: doc(
    z.enum(['units', 'cases']).prefault('units'),
    'What the quantity of an order line in the ERP counts. The price of a line is that of what it counts.',
  ),
} as const;

export interface ErpSettings {
  readonly pollMs: number;
  readonly timeoutMs: number;
  readonly capabilities: StatedCapabilities;
  /** By the connector's own names. A secret may change while the program runs. */
  readonly credentials: Readonly<Record<string, CredentialSource>>;
  /** Where credentials are sent, by key below `erp`: `{ url: 'https://...' }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** A fixed secret, or a token server. */
export type CredentialSource = { readonly scheme: 'fixed'; readonly secret: string } | OAuth;

export function commonSettings(section: ErpSection): Omit<ErpSettings, 'credentials' | 'addresses'> {
  return {
    pollMs: durationMs(section.poll),
    timeoutMs: durationMs(section.timeout),
    capabilities: resolveCapabilities(section.capabilities ?? {}),
  };
}

export interface ErpParts {
  /** A credential by name. The connector asks for its secret before each call, and reports a rejection to it. */
  readonly credential: (name: string) => Credential;
  /** Called after each call. */
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  /** Called with the current limit when a call begins or ends. */
  readonly onPace?: OnPace | undefined;
  /** Observes every exchange and may cut it. */
  readonly wire?: Wire | undefined;
  /** Recent calls, for rate limits. The default counts from the start of this process. */
  readonly calls?: CallRecord | undefined;
  /** The connector's own folder. It may not exist yet. */
  readonly dir: string;
  /** The location of a part of the section: `erp.yaml:41:12`; null: unknown. */
  readonly where?: ((path: readonly string[]) => string | null) | undefined;
  /** Epoch milliseconds of this machine, never of the ERP. */
  readonly now: () => number;
}

/** The calls of the last minute, including earlier processes. */
export interface CallRecord {
  /** How long ago the latest `most` calls began, in milliseconds, oldest first. */
  ages(most: number): Promise<readonly number[]>;
  /** Records a call that begins now. Calls before the latest `most` may be dropped. Never throws. */
  add(most: number): void;
}

export interface ErpCallTrace {
  /** The call without record ids: `PATCH /v1/orders/{id}`. */
  readonly operation: string;
  /** The HTTP status; `ok` where there is none; null: no answer. */
  readonly status: number | 'ok' | null;
  /** From the request to the complete answer; for a database, the whole transaction. */
  readonly durationMs: number;
}

/** Erases the section's type. Only a section that fits a kind's schema reaches that kind. */
export function connectorKind<Section extends ErpSection>(kind: ConnectorKind<Section>): ConnectorKind {
  return kind;
}
