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
    expectedCount: about('Rows that were anchored, and that are there.', whole),
    foundCount: whole,
  },
  'DayFinding',
);

/** What is found out about rows and days. */
const chain = {
  chainFindings: list(chainFinding),
  days: whole,
  stampedDays: about('Days whose root has a time-stamp.', whole),
  anchoredUntil: opt(
    about('The last day that is anchored: the end of later chains cannot be vouched for.', text),
  ),
  rootDigest: opt(
    about('What the time-stamp of that day is over, hexadecimal: all roots before it count.', text),
  ),
  dayFindings: list(dayFinding),
};

/** The bodies of these commands under --json. */
export const logBodies = {
  'activity anchor': [
    members({
      anchored: about('Days that got a root now.', list(text)),
      stamped: about('Days whose root got its time-stamp now.', list(text)),
      late: about(
        'Of those the days that were over for too long: nobody vouches for them, now or later.',
        list(text),
      ),
      waiting: about('Days whose root still waits for a time-stamp.', list(text)),
      errorCode: opt(about('Why the authority gave none.', text)),
    }),
  ],
  'activity list': [members({ activity: list(activityLogWrapper) })],
  'activity total': [members({ total: whole })],
  'activity verify': [
    members({
      isIntact: about('Nothing was found that was changed, removed or added.', flag),
      isVouched: about(
        'Intact, and of no day it is open whether it was changed before it was anchored.',
        flag,
      ),
      processes: whole,
      rows: whole,
      head: opt(about('Of a single process: the hash of its newest row.', text)),
      ...chain,
    }),
    members({
      companyKey: text,
      isWhole: about('The last line is there, and what came before it is what it counts.', flag),
      isFiltered: about('The header does not say that all processes are in it.', flag),
      isVouched: about(
        'Intact, and every row stands under a root with a time-stamp, but for those ' +
          'of the last days. Without it the export is consistent, and anybody can have ' +
          'written it.',
        flag,
      ),
      vouchedRows: about('Rows under a root with a time-stamp.', whole),
      wholeDays: about(
        'Days all of whose rows are in the export; of the others only the time-stamp was judged.',
        whole,
      ),
      processes: whole,
      isIntact: about('Nothing was found that was changed, removed or added.', flag),
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
