import {
  about,
  flag,
  list,
  members,
  moment,
  oneOf,
  opt,
  type Shapes,
  text,
  whole,
} from './words.ts';

const activityLogEntry = members(
  {
    flowKey: text,
    processKey: text,
    signeeKey: opt(text),
    status: text,
    description: opt(text),
    userAgent: opt(text),
    fileName: opt(text),
    createdAt: about('UTC, seven fractional digits.', moment),
    createdBy: text,
    requiresAuth: flag,
    signInOrder: flag,
    signatureLocation: text,
    sequenceKey: opt(text),
  },
  'ActivityLogEntry',
);

const signeeActivityLog = members(
  {
    processKey: text,
    signeeKey: text,
    ssn: opt(text),
    name: text,
    address: opt(text),
    postalCode: opt(text),
    city: opt(text),
    phone: opt(text),
    email: opt(text),
    createdAt: moment,
    createdBy: text,
    updatedAt: moment,
    signatureType: text,
  },
  'SigneeActivityLog',
);

const sequenceSigneeActivityLog = members(
  {
    sequenceKey: text,
    signeeKey: text,
    url: text,
    signingKeys: list(members({ signeeKey: text, processKey: text })),
  },
  'SequenceSigneeActivityLog',
);

const attachmentReference = members(
  {
    id: text,
    fileName: text,
    contentLength: whole,
    contentType: text,
    url: text,
    description: opt(text),
    processKey: text,
    attachmentType: text,
    signeeKey: opt(text),
  },
  'AttachmentReference',
);

const activityLogWrapper = members(
  {
    processKey: text,
    activityDisplayName: opt(text),
    activityLog: about('Oldest first.', list(activityLogEntry)),
    signees: list(signeeActivityLog),
    sequenceSignees: list(sequenceSigneeActivityLog),
    attachmentReferences: list(attachmentReference),
  },
  'ActivityLogWrapper',
);

const chainFinding = members(
  {
    processKey: text,
    seq: whole,
    fault: oneOf(
      'document.changed',
      'row.foreign',
      'row.missing',
      'row.changed',
      'time.back',
      'row.late',
      'personal.changed',
      'signee.changed',
      'process.changed',
      'process.unreadable',
      'evidence.other',
      'evidence.missing',
      'contents.missing',
      'personal.added',
      'personal.missing',
      'status.changed',
      'log.orphaned',
    ),
  },
  'ChainFinding',
);

const dayFinding = members(
  {
    day: text,
    fault: oneOf(
      'rows.missing',
      'rows.added',
      'rows.changed',
      'root.missing',
      'token.invalid',
      'root.unlinked',
      'root.changed',
      'root.malformed',
      'root.early',
      'token.missing',
      'token.late',
      'token.early',
    ),
    expectedCount: about(
      'Number of rows that were anchored; `foundCount` is the number that exist.',
      whole,
    ),
    foundCount: whole,
  },
  'DayFinding',
);

/** Findings on rows and days. */
const chain = {
  chainFindings: list(chainFinding),
  days: whole,
  stampedDays: about('Number of days whose root has a time-stamp.', whole),
  anchoredUntil: opt(
    about('The last anchored day: the end of later chains cannot be vouched for.', text),
  ),
  rootDigest: opt(
    about('Imprint of the time-stamp of that day, hexadecimal. It covers all earlier roots.', text),
  ),
  dayFindings: list(dayFinding),
};

/** Documents of these commands with --json. */
export const logBodies = {
  'activity anchor': [
    members({
      anchored: about('Days whose root was created by this run.', list(text)),
      stamped: about('Days whose root was time-stamped by this run.', list(text)),
      late: about(
        'Days among `stamped` that were time-stamped too late: their roots can never prove ' +
          'anything.',
        list(text),
      ),
      waiting: about('Days whose root still has no time-stamp.', list(text)),
      errorCode: opt(about('Error code of the authority if it returned no time-stamp.', text)),
    }),
  ],
  'activity list': [members({ activity: list(activityLogWrapper) })],
  'activity total': [members({ total: whole })],
  'activity verify': [
    members({
      isIntact: about('True if no changed, removed or added row was found.', flag),
      isVouched: about(
        'True if intact, and it is certain for every day that it was not changed before it was anchored.',
        flag,
      ),
      processes: whole,
      rows: whole,
      head: opt(about('Hash of the newest row, for a single process.', text)),
      ...chain,
    }),
    members({
      companyKey: text,
      isWhole: about(
        'True if the last line is present and its counts match the preceding lines.',
        flag,
      ),
      isFiltered: about(
        'True unless the header states that the export contains all processes.',
        flag,
      ),
      isVouched: about(
        'True if intact, and every row except those of the last days is covered by a time-stamped root. ' +
          'If false, the export may be consistent, but anyone could have written it.',
        flag,
      ),
      vouchedRows: about('Number of rows covered by a time-stamped root.', whole),
      wholeDays: about(
        'Number of days whose rows are all exported; of other days only the time-stamp was ' +
          'verified.',
        whole,
      ),
      processes: whole,
      isIntact: about('True if no changed, removed or added row was found.', flag),
      rows: whole,
      ...chain,
    }),
    members({
      isIntact: flag,
      processKey: text,
      faults: list(oneOf('process.missing', 'chain.changed', 'roots.changed', 'document.changed')),
    }),
  ],
} satisfies Shapes;
