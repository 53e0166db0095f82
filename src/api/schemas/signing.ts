import { type Static, Type } from '@sinclair/typebox';
import { type Language, languages } from '../../domain/message/index.ts';
import {
  deliveryTypes,
  processStatuses,
  signatureLocations,
  signatureTypes,
  statusKinds,
} from '../../domain/process/index.ts';
import { document, flag, named, oneOf, requiredText, text, textMap } from './shared.ts';

/** Delivery types. Their integers follow the published model, not the order of the names. */
export const deliveryType = oneOf(
  deliveryTypes,
  'Delivery of messages to the signee; Sms with Qualified only.',
  [0, 2, 1],
);

const contact = {
  name: text('Full name.'),
  ssn: text('National number: ten digits, or twelve for Sweden, with or without a dash.'),
  phoneNumber: text('Seven digits, or a number with + and country code.'),
  email: text('E-mail address.'),
  address: text('Street and number.'),
  postalCode: text('Postal code.'),
  city: text('City.'),
};

/** Published integers of the languages; an added language gets a new number. */
const languageIntegers: Readonly<Record<Language, number>> = {
  ...{ Is: 10, En: 21, Nb: 30, Da: 40, De: 50, Fr: 60, Sv: 70, Cs: 80, Pl: 90, Es: 100, Hu: 110 },
};

const createSigneeMembers = {
  processKey: text('Not needed for a new process; otherwise the key in the path.'),
  ...contact,
  name: requiredText('Full name.'),
  reason: text('Shown in the visible signature.'),
  hidePersonalCode: flag('Leaves the national number out of the visible signature.'),
  communicationDeliveryType: Type.Optional(
    oneOf(
      deliveryTypes,
      'Channel of the invitation; Sms with Qualified only. Default None.',
      [0, 2, 1],
    ),
  ),
  signatureType: Type.Optional(oneOf(signatureTypes, 'Default: that of the flow.')),
  language: Type.Optional(
    oneOf(['NotSet', ...languages], 'Language of the signing page and messages.', [
      0,
      ...languages.map((language) => languageIntegers[language]),
    ]),
  ),
  customSmsText: text('At most 200 characters; the link is appended.'),
  user: text('E-mail of the owner.'),
  passcode: text('Opens a sequence for this person: 6 to 128 characters; never shown again.'),
};

const createSigneeSchema = named('CreateSignee', createSigneeMembers);
/** Request body: a signee to add. */
export const addSignee = named('AddSignee', createSigneeMembers);

const attachmentSchema = named('SigningAttachment', {
  fileName: requiredText('Name of the file.'),
  fileContent: document('Content in base64.'),
});

/** Reference to an attachment by its name. */
export const attachmentReference = named('AttachmentReference', {
  id: text('Key of the attachment.'),
  fileName: text('Name of the file.'),
  contentLength: Type.Optional(Type.Integer()),
  contentType: text('Media type.'),
  url: text('Download URL.'),
  description: text('Description of the attachment.'),
  processKey: text('The process of the attachment.'),
  attachmentType: text('Kind: Unspecified, EvidencePage and so on.'),
  signeeKey: text('The signee concerned.'),
});

const createProcessMembers = {
  flowKey: requiredText('The flow of the process.'),
  pdfDocument: text('The document in base64; omitted if the flow creates it.'),
  pdfFileName: text('File name; required with a document.'),
  createSignees: Type.Array(createSigneeSchema, { minItems: 1, maxItems: 200 }),
  meta: Type.Optional(textMap),
  attachments: Type.Optional(Type.Array(attachmentSchema, { maxItems: 50 })),
  attachmentReferences: Type.Optional(
    Type.Array(attachmentReference, {
      maxItems: 50,
      description:
        'Attachments of earlier processes of the company: each needs its id and processKey.',
    }),
  ),
  requiresAuth: flag('Signees must log in with an e-ID before they see the document.'),
  signInOrder: flag('Each signee is invited after the previous one has signed.'),
  signatureLocation: Type.Optional(oneOf(signatureLocations)),
  user: text('E-mail of the owner.'),
  sequenceKey: text('Set by the service for documents of a sequence.'),
  activityDisplayName: text('Name in the activity log.'),
  flattenDocument: flag('Flattens the form fields of the document.'),
  reminderRule: text('{first}:{interval} in days, such as 1:3; empty: no reminders.'),
};

/** Request body: a new process. */
export const createProcess = named('CreateSigningProcess', createProcessMembers, {
  // For readers of the description: an empty text counts as no document.
  dependentRequired: { pdfDocument: ['pdfFileName'] },
});

const onlyOwn = 'Only for the company and the signee.';

/** A signee. */
export const signee = named('Signee', {
  ...contact,
  key: text(onlyOwn),
  signed: Type.Boolean(),
  signedAt: text('Time of the signature.'),
  processKey: text('Omitted if the process has no key.'),
  reason: text('Shown in the visible signature.'),
  hidePersonalCode: Type.Optional(Type.Boolean()),
  communicationDeliveryType: Type.Optional(Type.String()),
  url: text(`The signing page of this signee. ${onlyOwn}`),
  signatureType: Type.String(),
  language: text('Short code.'),
  customSmsText: text('Text of the invitation.'),
});

/** A process. */
export const signingProcess = named('SigningProcess', {
  key: text('Omitted in a sequence for signees of another document.'),
  signees: Type.Array(signee, {
    description:
      'With a link or the token of a signee: that one in full, the others by name and state, ' +
      'without keys, links and contact data.',
  }),
  flowKey: text('Omitted if the key is omitted.'),
  status: Type.String({
    description: `${processStatuses.map((each) => statusKinds[each].published).join(', ')}.`,
  }),
  meta: Type.Record(Type.String(), Type.String()),
  pdfFileName: text('Name of the document.'),
  attachments: Type.Array(
    Type.Object({
      fileName: Type.String(),
      fileContent: text('Base64; only in the response to the creation.'),
    }),
  ),
  attachmentReferences: Type.Array(attachmentReference),
  requiresAuth: Type.Boolean(),
  user: text('E-mail of the owner.'),
  signInOrder: Type.Boolean(),
  signatureLocation: Type.String(),
  sequenceKey: text('The sequence of the process.'),
  flattenDocument: Type.Boolean(),
  reminderRule: text('{first}:{interval} in days.'),
  activityDisplayName: text('Name in the activity log.'),
  createdAt: text('Time of creation.'),
  expiresAt: text('After this it cannot be signed.'),
});

/** Request body: a change of a signee. */
export const updateSignee = named('UpdateSignee', {
  signeeKey: text('Same as in the path.'),
  processKey: text('Same as in the path.'),
  email: text('A changed address gets a new invitation.'),
  address: text('Street and number.'),
  postalCode: text('Postal code.'),
  city: text('City.'),
  reason: text('Shown in the visible signature.'),
  user: text('E-mail of the owner.'),
});

/** Keys of one person in one document. */
export const signeeKeys = named('SigneeKeys', {
  signeeKey: Type.String(),
  processKey: Type.String(),
});

const sequenceSigneeSchema = named('SequentialSigningSignee', {
  key: text(onlyOwn),
  url: text(`The page for all documents. ${onlyOwn}`),
  signingKeys: Type.Optional(Type.Array(signeeKeys, { description: onlyOwn })),
  name: text('Full name.'),
  signed: Type.Boolean({ description: 'True if the person has signed all their documents.' }),
});

/** A sequence. */
export const sequentialSigning = named('SequentialSigning', {
  key: Type.String(),
  status: Type.String({ description: 'As in a process.' }),
  requiresAuth: Type.Boolean(),
  user: text('Owner of the sequence.'),
  signInOrder: Type.Boolean(),
  signees: Type.Array(sequenceSigneeSchema),
  signingProcesses: Type.Array(signingProcess),
});

/** Request body: a new sequence; a bare array of processes is accepted, too. */
export const createSequence = named('CreateSequentialSigning', {
  createSigningProcesses: Type.Array(createProcess, {
    minItems: 1,
    maxItems: 100,
    description: 'The documents, with at most 2,000 signees and 200 passcodes in total.',
  }),
  user: requiredText('Owner of the sequence; only the owner may cancel it.'),
  requiresAuth: flag('As in a process.'),
  signInOrder: flag('Each person signs all documents before the next is invited.'),
});

/** Body of CreateSigningProcess. */
export type CreateProcessBody = Static<typeof createProcess>;
/** Body of CreateSignee. */
export type CreateSigneeBody = Static<typeof createSigneeSchema>;
/** Body of CreateSequentialSigning. */
export type CreateSequenceBody = Static<typeof createSequence>;
