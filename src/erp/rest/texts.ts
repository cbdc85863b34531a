import { z } from 'zod';
import { expressionProblem } from '../../expressions/expression.ts';
import { doc, freely } from '../../settings/scalars.ts';
import type { RowRule } from './row-rule.ts';
import { type Template, templateProblems } from './template.ts';

export const ALWAYS = ['settings'] as const;

/** A JSONata expression of a mapping. Its names are checked in `readable.ts`. */
export const mappingExpression = () =>
  z
    .string('expected a JSONata expression')
    .min(1, 'must not be empty')
    .max(20_000, 'expected at most 20000 characters');

/** A JSONata expression with these names, given with `$`, and `$settings`. */
export const expression = (...names: readonly string[]) =>
  mappingExpression().superRefine((written, context) => {
    const problem = expressionProblem(written, [...ALWAYS, ...names.map((name) => name.slice(1))]);
    if (problem !== null) context.addIssue({ code: 'custom', message: `is no JSONata expression: ${problem}` });
  });

/** For templates whose names are checked in `readable.ts`. */
export const ELSEWHERE = '*';

/** Reports templates with unknown names. */
const fitting = (names: readonly string[]) => (written: unknown, context: z.core.$RefinementCtx) => {
  if (names.includes(ELSEWHERE)) return;
  for (const { path, message } of templateProblems(written, [...ALWAYS, ...names.map((name) => name.slice(1))])) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
};

/** Texts with `{{ expression }}` and these names. */
export const template = (names: readonly string[]) =>
  freely().superRefine(fitting(names)) as unknown as z.ZodType<Template>;

const templates = (names: readonly string[]) => z.record(z.string().min(1).max(200), template(names));

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A call with these names and those of its login. */
export const requestSection = (...own: readonly string[]) => callSection([...own, '$auth']);

/** The login call, which has no `$auth` yet. */
export const loginSection = () => callSection(['$user', '$password']);

const callSection = (names: readonly string[]) =>
  doc(
    z.strictObject({
      method: doc(z.enum(METHODS).prefault('GET'), 'The HTTP method.'),
      path: doc(
        z
          .string('expected a path that starts with "/"')
          .regex(
            /^\/[^?#\s]*(?:\{\{[^}]*\}\}[^?#\s]*)*$/,
            'expected a path below url that starts with "/", without a query',
          )
          .superRefine(fitting(names)),
        'Below erp.url. The value of a {{ }} is encoded as one segment.',
      ),
      query: doc(
        templates(names),
        'Parameters. One without a value is left out; how a list is sent, lists says.',
      ).optional(),
      lists: doc(
        z.enum(['commas', 'repeated']).prefault('commas'),
        'How a list is sent as a parameter: sku=A,B or sku=A&sku=B.',
      ),
      headers: doc(templates(names), 'Headers of this call.').optional(),
      body: doc(template(names), 'Sent as JSON. A part without a value is left out.').optional(),
      form: doc(templates(names), 'Sent as a form in place of a body.').optional(),
    }),
    'The call of the ERP.',
  );
export type RequestSection = z.output<ReturnType<typeof requestSection>>;

/** The rule for a row, checked in `readable.ts` because its names depend on the lists beside it. */
export const rule = z.unknown().transform((written) => written as RowRule);
