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

/**
 * A kind of connector: everything that the rest of the program knows of it. Each folder exports one kind, and `connectors.ts`
 * names it. The schema of the configuration, `doctor`, `status` and the traces of calls follow from it.
 */
export interface ConnectorKind<Section extends ErpSection = ErpSection> {
  /** `erp.type` in the configuration. */
  readonly type: string;
  /** The section `erp`: a strict object with `type` as a literal and `commonKeys`; checks across keys as refinements. */
  readonly schema: SectionSchema<Section>;
  /** What to look at when the ERP does not answer, and when it refuses the credentials: "is it up, and erp.url right?" */
  readonly mends: { readonly down: string; readonly credentials: string };
  /** The ways to connect an ERP by this kind, by the names that `stockbridge init` gives them. */
  readonly offers: Readonly<Record<string, Offer>>;
  /** Settings of a section that work but are most likely not meant, by their paths in it. */
  doubts?(section: Section): readonly { readonly path: readonly string[]; readonly message: string }[];
  /** The facts of a section that the rest of the program needs. Pure. */
  settings(section: Section): ErpSettings;
  /**
   * Opens the connector without contacting the ERP. The code that makes calls is imported here and not at the head of the file,
   * since a configuration is also read where no call is made.
   */
  open(section: Section, parts: ErpParts): Promise<ErpConnector>;
}

/** A way to connect an ERP that `stockbridge init` offers, and what it asks for it. */
export interface Offer {
  readonly about: string;
  /** The question for its address. */
  readonly where: string;
  /** The usual place of its token, key or password; null: it has none, or its description names the place. */
  readonly secret: string | null;
  readonly settings: readonly string[];
  /** The page of the guide about the description that a person writes of it; null: it needs none. */
  readonly described: string | null;
  /** The section `erp` of these answers, or what is wrong with them. */
  section(answers: Answers): object | { readonly problem: string };
}

export interface Answers {
  readonly url: string;
  /** A reference to the secret, as in `${env:ERP_TOKEN}`; null: it has none. */
  readonly secret: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The description of its lists and writes that a person wrote: keys of the section. The other answers win over them. */
  readonly description: Readonly<Record<string, unknown>>;
}

export const WHERE = 'Where is it?';

type SectionSchema<Section> = z.core.$ZodTypeDiscriminable & z.ZodType<Section>;

/** The keys that every section has. */
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
  /** The abilities of the ERP that the configuration states. */
  readonly capabilities: StatedCapabilities;
  /** The credentials, by names that the connector chooses. Their secrets may change while the program runs. */
  readonly credentials: Readonly<Record<string, CredentialSource>>;
  /** The addresses that credentials are sent to, by the key below `erp`: `{ url: 'https://...' }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** A text of the configuration, or a token server. */
export type CredentialSource = { readonly scheme: 'fixed'; readonly secret: string } | OAuth;

export function commonSettings(section: ErpSection): Omit<ErpSettings, 'credentials' | 'addresses'> {
  return {
    pollMs: durationMs(section.poll),
    timeoutMs: durationMs(section.timeout),
    capabilities: resolveCapabilities(section.capabilities ?? {}),
  };
}

/** The surroundings that a connector is opened with. */
export interface ErpParts {
  /** A credential of `settings`, by its name. The connector asks for its secret before each call, and reports a refusal to it. */
  readonly credential: (name: string) => Credential;
  /** Called with every call, once it has ended. */
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  /** Called with the number of calls that the ERP is given at once, whenever a call begins or ends. */
  readonly onPace?: OnPace | undefined;
  /** An observer that sees every exchange and may cut one off. */
  readonly wire?: Wire | undefined;
  /** The latest calls to the ERP, for limits of calls in a time. The count begins with this process when left out. */
  readonly calls?: CallRecord | undefined;
  /** A folder for the connector's own files. It may not exist yet. */
  readonly dir: string;
  /** The place in the configuration of a part of the section, by its path: `erp.yaml:41:12`; null when unknown. */
  readonly where?: ((path: readonly string[]) => string | null) | undefined;
  /** Epoch milliseconds of this machine. Never a time of the ERP. */
  readonly now: () => number;
}

/** The calls of the last minute, also those of earlier processes. */
export interface CallRecord {
  /** How long ago the latest calls began, in milliseconds, oldest first; at most so many. */
  ages(most: number): Promise<readonly number[]>;
  /** A call begins now. Calls older than the latest `most` may be forgotten. Never throws. */
  add(most: number): void;
}

export interface ErpCallTrace {
  /** `PATCH /v1/orders/{id}`: the call, never the record. */
  readonly operation: string;
  /** The HTTP status; `ok` of a call that has none; null when there was no answer. */
  readonly status: number | 'ok' | null;
  /** From sending to the whole answer; of a database, from the beginning of the transaction to its end. */
  readonly durationMs: number;
}

/** The kind as the registry keeps it. The types differ, but only a section that fits the schema of a kind reaches that kind. */
export function connectorKind<Section extends ErpSection>(kind: ConnectorKind<Section>): ConnectorKind {
  return kind;
}
