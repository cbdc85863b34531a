import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ConfigError } from '../../config/problem.ts';
import { CallFailure } from '../../domain/failure.ts';
import { MappingConflict } from '../../store/links.ts';
import { BrakeDecisionError } from '../../store/record.ts';
import { type Fault, faultOf, NotFound, Refused, UnknownAccount } from '../../use/faults.ts';
import type { Caller } from '../access.ts';

/** An error as RFC 9457 describes it: `application/problem+json`. */
export const problem = z.object({
  type: z.string().meta({ description: 'The kind of problem: urn:stockbridge:problem:NAME' }),
  title: z.string(),
  status: z.int(),
  detail: z.string().meta({ description: 'The error, what it concerns, and the next step' }),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'The places of a request that does not fit' }),
});

export type Problem = z.output<typeof problem>;

const KINDS = {
  'not-fitting': [400, 'The request does not fit'],
  'no-token': [401, 'A token of this admin API is needed'],
  'operators-only': [403, 'Only an operator may do this'],
  'not-found': [404, 'There is no such thing'],
  'other-method': [405, 'This cannot be done with it'],
  conflict: [409, 'It has changed since the request was made'],
  'not-answered': [409, 'It was requested before, and the answer is unknown'],
  'too-large': [413, 'The request is too large'],
  'other-request': [422, 'The key was used for another request'],
  'other-host': [421, 'This host is not served here'],
  'too-many-attempts': [429, 'There were too many wrong attempts'],
  failed: [500, 'It failed'],
  refused: [502, 'The other side refuses it'],
  'try-again': [503, 'Not now: try again'],
  unavailable: [503, 'Something that this needs is down'],
  credentials: [502, 'The other side refuses our credentials'],
  configuration: [500, 'The configuration does not fit'],
} as const satisfies Record<string, readonly [number, string]>;

type ProblemKind = keyof typeof KINDS;

export function problemOf(kind: ProblemKind, detail: string, errors?: Problem['errors']): Problem {
  const [status, title] = KINDS[kind];
  return {
    type: `urn:stockbridge:problem:${kind}`,
    title,
    status,
    detail,
    ...(errors === undefined ? {} : { errors }),
  };
}

const OF_FAULT: Readonly<Record<Fault, ProblemKind>> = {
  failed: 'failed',
  usage: 'not-fitting',
  unavailable: 'unavailable',
  tryAgain: 'try-again',
  credentials: 'credentials',
  configuration: 'configuration',
};

/** The problem that the caller is told. A mistake of ours is logged: its text is not for the network. */
export function problemOfError(error: unknown, onFailure: (error: unknown) => void): Problem {
  const kind = error instanceof Error ? kindOf(error) : null;
  if (error instanceof Error && kind !== null) return problemOf(kind, error.message);
  onFailure(error);
  return problemOf('failed', 'The log of the daemon says why.');
}

/** null for a mistake of ours. */
function kindOf(error: Error): ProblemKind | null {
  if (error instanceof NotFound || error instanceof UnknownAccount) return 'not-found';
  if ([BrakeDecisionError, MappingConflict, Refused].some((kind) => error instanceof kind)) return 'conflict';
  if (error instanceof ConfigError) return 'configuration';
  const kind = OF_FAULT[faultOf(error)];
  if (error instanceof CallFailure) return kind === 'failed' ? 'refused' : kind;
  return kind === 'failed' ? null : kind;
}

export function operatorsOnly({ name }: Caller): Problem {
  return problemOf('operators-only', `The ${name} may read, but not act.`);
}

/** The seconds after which a caller may well ask again, when nothing tells it better. */
const AGAIN_S = 5;

export function sendProblem(reply: FastifyReply, told: Problem): FastifyReply {
  const isForNow = told.status === KINDS['try-again'][0] || told.type.endsWith(':not-answered');
  if (isForNow) reply.header('retry-after', AGAIN_S);
  return reply.code(told.status).type('application/problem+json').send(told);
}
