import { Type } from '@sinclair/typebox';
import { type FilterWord, statusFilters } from '../../app/activity/index.ts';
import { flowTypes } from '../../domain/flow/index.ts';
import { named, requiredText, text } from './shared.ts';
import { attachmentReference, signeeKeys } from './signing.ts';

const entrySchema = named('SigningProcessActivityLog', {
  flowKey: Type.String(),
  processKey: Type.String(),
  signeeKey: text('The signee concerned.'),
  status: Type.String(),
  description: text('Free text.'),
  userAgent: text('Client of the signee.'),
  fileName: text('Name of the document.'),
  createdAt: Type.String({ description: 'UTC, seven fractional digits.' }),
  createdBy: Type.String(),
  requiresAuth: Type.Optional(Type.Boolean()),
  signInOrder: Type.Optional(Type.Boolean()),
  signatureLocation: text('Positions of visible signatures.'),
  sequenceKey: text('The sequence.'),
});

const signeeLogSchema = named('SigneeActivityLog', {
  processKey: Type.String(),
  signeeKey: text('The signee; omitted for API keys without the scope `sign`.'),
  ssn: text('National number.'),
  name: Type.String(),
  address: text('Street and number.'),
  postalCode: text('Postal code.'),
  city: text('City.'),
  phone: text('Phone number; called phoneNumber elsewhere.'),
  email: text('E-mail address.'),
  createdAt: Type.String(),
  createdBy: Type.String(),
  updatedAt: Type.String(),
  signatureType: Type.String(),
});

const sequenceSigneeLogSchema = named('SequentialSigningSigneeActivityLog', {
  sequenceKey: Type.String(),
  signeeKey: Type.String(),
  url: Type.String(),
  signingKeys: Type.Array(signeeKeys),
});

const wrapperSchema = named('SigningProcessActivityLogWrapper', {
  processKey: Type.String(),
  activityDisplayName: text('Name in the log.'),
  activityLog: Type.Array(entrySchema),
  signees: Type.Array(signeeLogSchema),
  sequenceSignees: Type.Array(sequenceSigneeLogSchema),
  attachmentReferences: Type.Array(attachmentReference),
});

/** Number of processes that match a filter. */
export const activityTotal = named('ActivityLogTotal', { total: Type.Integer() });

const filter = {
  User: text('E-mail of the owner.'),
  ProcessKey: text('One process.'),
  FlowType: text(`One of ${flowTypes.join(', ')}.`),
  FlowKey: text('One flow.'),
  Search: text('Part of key, file name, name, e-mail or phone; or a whole national number.'),
  StatusFilter: text(`${statusFilters.join(', ').replace('All', 'All (default)')}.`),
} satisfies Record<Capitalize<FilterWord>, unknown>;

const period = {
  StartDate: requiredText('ISO 8601, before EndDate.'),
  EndDate: requiredText('ISO 8601.'),
};
const page = {
  Take: text('Maximum number of processes; default 10000, at most 100000.'),
  Skip: text('Number of processes to skip; default 0.'),
};

/** Filter of the log. */
export const activityFilter = Type.Object({ ...period, ...filter });
/** A page of the log. */
export const activityQuery = Type.Object({ ...period, ...filter, ...page });
/** A page of the log of one process; the whole log if no period is given. */
export const processActivityQuery = Type.Object({
  StartDate: text('ISO 8601, before EndDate.'),
  EndDate: text('ISO 8601.'),
  ...filter,
  ...page,
});
/** A list of processes with their logs. */
export const activityList = Type.Array(wrapperSchema);
