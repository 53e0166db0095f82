import { refusedByEid } from './auth.ts';
import {
  about,
  delivery,
  flag,
  list,
  members,
  moment,
  oneOf,
  opt,
  processStatus,
  type Shapes,
  signatureType,
  text,
  whole,
} from './words.ts';

const undelivered = members(
  {
    template: oneOf('Signup', 'Reminder'),
    channel: oneOf('Email', 'Sms'),
    errorCode: opt(text),
  },
  'Undelivered',
);

const documentRef = members(
  {
    sha256: about('SHA-256, lower-case hexadecimal.', text),
    lengthBytes: whole,
  },
  'DocumentRef',
);

const signee = members(
  {
    invitedAt: opt(moment),
    viewedAt: opt(moment),
    authenticatedAt: opt(moment),
    signedAt: opt(moment),
    url: opt(text),
    undelivered: opt(undelivered),
    key: text,
    name: text,
    order: whole,
    state: oneOf('Pending', 'Invited', 'Viewed', 'Authenticated', 'Signing', 'Signed', 'Declined'),
    signatureType,
    delivery,
  },
  'Signee',
);

const signingProcess = members(
  {
    signInOrder: flag,
    requiresAuth: flag,
    attachments: list(
      members({
        id: text,
        fileName: text,
        type: oneOf(
          'Unspecified',
          'EvidencePage',
          'PepPdf',
          'PepJson',
          'Verification',
          'XmlForSealing',
          'VerificationMedia',
          'CompanyInfo',
        ),
        contentType: text,
      }),
    ),
    signees: list(signee),
    document: opt(documentRef),
    createdAt: moment,
    expiresAt: moment,
    endedAt: opt(moment),
    purgedAt: opt(moment),
    reason: opt(text),
    sequenceKey: opt(text),
    user: opt(text),
    key: text,
    status: processStatus,
    finalization: members({
      attempts: whole,
      errorCode: opt(about('Code of the last failure.', text)),
      errorMessage: opt(text),
      level: opt(about('Verified level of the sealed result.', text)),
      signedSha256: opt(
        about('Digest of the document with all signatures, before the seal.', text),
      ),
      phase: oneOf('Draft', 'Waiting', 'Open', 'Finalizing', 'FinalizeFailed', 'Done'),
    }),
    flowKey: text,
    flowName: text,
    flowType: text,
    fileName: text,
  },
  'SigningProcess',
);

const signingKey = members({ processKey: text, signeeKey: text }, 'SigningKey');

const sequence = members(
  {
    key: text,
    status: processStatus,
    user: text,
    signInOrder: flag,
    requiresAuth: flag,
    persons: list(
      members({ key: text, name: opt(text), url: text, signingKeys: list(signingKey) }),
    ),
    processes: list(signingProcess),
  },
  'Sequence',
);

const withProcess = members({ process: signingProcess });
const withSequence = members({ sequence });

/** Documents of these commands with --json. */
export const signingBodies = {
  'process block': [withProcess],
  'process cancel': [withProcess],
  'process create': [withProcess],
  'process document': [members({ output: text, lengthBytes: whole })],
  'process extend': [withProcess],
  'process finalize': [withProcess],
  'process list': [members({ processes: list(signingProcess) })],
  'process purge': [withProcess],
  'process show': [withProcess],
  'process signee add': [withProcess],
  'process signee invite': [withProcess],
  'process signee update': [withProcess],
  'process unblock': [withProcess],
  remind: [members({ processKey: text, signeeKey: text, delivery, isDouble: flag })],
  'remind cancel': [members({ documents: whole })],
  'remind run': [
    members({
      processes: about('Number of processes whose reminders were due.', whole),
      messages: about('Number of attempts to send a message, accepted or not.', whole),
      faults: about('Number of failed jobs, including messages that were not sent.', whole),
    }),
  ],
  'sequence cancel': [withSequence],
  'sequence create': [withSequence],
  'sequence list': [members({ sequences: list(sequence) })],
  'sequence show': [withSequence],
  sign: [members({ token: text }), withProcess, refusedByEid],
} satisfies Shapes;
