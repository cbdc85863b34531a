import { z } from 'zod';
import { compileRule, ruleProblems } from '../expressions/rule.ts';
import { CUSTOMER_FIELDS } from '../marketplace/operations/customers.ts';
import { doc, duration, durationMs, flag, text } from '../settings/scalars.ts';
import { always, oneSpelling, section, someDirection } from './contradictions.ts';
import { freeFields, isLeftOut, type NamedRule } from './fields.ts';

export const customers = z
  .strictObject({
    to_marketplace: doc(flag().prefault(false), "Create and change the marketplace's customers as the ERP has them."),
    to_erp: doc(flag().prefault(false), "Create the marketplace's customers in the ERP when it does not know them."),
    archive: doc(
      flag().prefault(true),
      'Archive a customer on the marketplace when it is inactive or deleted in the ERP, and bring it back.',
    ),
    addresses: doc(flag().prefault(true), 'Write corporate and delivery addresses.'),
    statuses: doc(
      z.record(text(100), text(40)).prefault({}),
      "The marketplace's customer status for each ERP status, both by name. Other statuses are left alone.",
    ),
    fields: doc(
      freeFields.prefault({}),
      'More fields of a customer: JSONata over the ERP customer, or lists of such. Numbers and true are constants. ' +
        'false or null leaves out email, phone or license_number.',
    ),
    poll: doc(duration('100ms').prefault('15m'), "How often the marketplace's customers are read."),
  })
  .superRefine(contradictions, { when: always });

/** Fields that Stockbridge itself decides. */
const OWN_FIELDS = ['owner_id', 'external_ids', 'is_archived'];
/** Fields that are sent if the ERP has them, unless the configuration excludes them. */
const LEAVABLE = ['email', 'phone', 'license_number'];

/** These checks run even if another key is invalid, so every value here may be missing or of another type. */
function contradictions(value: unknown, context: z.core.$RefinementCtx): void {
  someDirection(value, context);
  oneSpelling(value, 'statuses', context);
  const { fields, statuses, to_marketplace: toMarketplace } = section(value);
  for (const [field, rule] of Object.entries(section(fields))) {
    const report = (message: string, path: readonly (string | number)[] = ['fields', field]): void => {
      context.addIssue({ code: 'custom', path: [...path], message });
    };
    if (isLeftOut(rule)) {
      if (!LEAVABLE.includes(field)) report(`only ${LEAVABLE.join(', ')} can be left out: take ${field} away`);
      continue;
    }
    if (OWN_FIELDS.includes(field)) report(`${field} is set by Stockbridge itself`);
    else if (!CUSTOMER_FIELDS.includes(field)) report(`is no field of a customer: ${CUSTOMER_FIELDS.join(', ')} are`);
    if (field === 'status_id' && Object.keys(section(statuses)).length > 0) {
      report('customers.statuses makes this field already');
    }
    for (const { path, message } of ruleProblems(rule, ['fields', field])) report(message, path);
  }
  if (Object.keys(section(fields)).length > 0 && toMarketplace !== true && toMarketplace !== 'true') {
    context.addIssue({ code: 'custom', path: ['fields'], message: 'needs to_marketplace: nothing is written there' });
  }
}

export function resolveCustomers(file: z.output<typeof customers>) {
  const entries = Object.entries(file.fields);
  return {
    toMarketplace: file.to_marketplace,
    toErp: file.to_erp,
    archive: file.archive,
    addresses: file.addresses,
    statuses: Object.entries(file.statuses).map(([erpStatus, state]) => ({ erpStatus, state })),
    fields: entries
      .filter(([, rule]) => !isLeftOut(rule))
      .map(([name, rule]): NamedRule => ({ name, rule: compileRule(rule) })),
    leftOut: entries.filter(([, rule]) => isLeftOut(rule)).map(([name]) => name),
    pollMs: durationMs(file.poll),
  };
}
