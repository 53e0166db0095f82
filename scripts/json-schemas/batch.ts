import { Type } from '@sinclair/typebox';
import { report } from './documents.ts';
import {
  about,
  errorData,
  flag,
  level,
  list,
  members,
  oneOf,
  opt,
  type Shapes,
  text,
  whole,
} from './words.ts';

/** Until when a document proves something as it is. */
const provesUntil = members(
  {
    time: about('The first moment at which it is no longer valid evidence, ISO 8601, UTC.', text),
    cause: oneOf('certificate', 'algorithm'),
    reason: about('The certificate or algorithm that expires, for display.', text),
  },
  'ProvesUntil',
);

/** What became of one document of several. */
const item = members(
  {
    command: oneOf('seal', 'seal-xml', 'archive', 'verify'),
    input: text,
    output: opt(text),
    status: oneOf('done', 'skipped', 'failed'),
    elapsedMs: whole,
    inputBytes: whole,
    outputBytes: opt(whole),
    reason: opt(about('Reason for skipping it.', text)),
    level: opt(text),
    field: opt(text),
    signatureId: opt(about('`Id` of a new XML signature.', text)),
    timestampRequests: opt(whole),
    provesUntil: opt(provesUntil),
    warnings: opt(list(text)),
    verdict: opt(
      oneOf('TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED', 'NO-SIGNATURE', 'NOT-WHOLE'),
    ),
    hint: opt(about('Advice that could change the result.', text)),
    report: opt(report),
    error: opt(errorData),
  },
  'Item',
);

/** How a batch went. */
const batchSummary = members(
  {
    total: whole,
    done: whole,
    skipped: whole,
    failed: whole,
    open: about('Number of failed documents that --resume would retry.', whole),
    inputBytes: whole,
    outputBytes: whole,
    timestampRequests: whole,
    elapsedMs: whole,
    interrupted: flag,
    verdicts: opt(
      about(
        'Number of documents by result, for verify.',
        members({
          'TOTAL-PASSED': opt(whole),
          INDETERMINATE: opt(whole),
          'TOTAL-FAILED': opt(whole),
          'NO-SIGNATURE': opt(whole),
          'NOT-WHOLE': opt(whole),
        }),
      ),
    ),
  },
  'BatchSummary',
);

/** What is said of every document that was made. */
const made = {
  inputBytes: whole,
  outputBytes: whole,
  timestampRequests: whole,
  provesUntil: opt(provesUntil),
  elapsedMs: whole,
  report,
  field: opt(text),
  output: text,
  input: text,
};

/** One document that was sealed or archived. */
const outcome = members(
  {
    ...{ signer: text, level, sealCount: opt(whole), signatureId: opt(text) },
    ...{ inputs: opt(list(text)), ...made },
  },
  'Outcome',
);

/** One document that was archived, of signatures without a baseline profile. */
const preserved = members({ signer: text, signatureId: opt(text), ...made }, 'Preserved');

const plannedCertificate = members(
  {
    subject: about('RFC 4514 name, without national numbers of persons.', text),
    serialNumber: text,
    revocation: about(
      '`not-needed`: the certificate states so itself, or the path ends there; `present`: a ' +
        'sufficiently recent statement is available; `own`: the development trust generates ' +
        'one; `fetch`: the addresses would be queried; `missing`: it contains no address, and ' +
        'no usable statement is available.',
      oneOf('not-needed', 'present', 'own', 'fetch', 'missing', 'revoked'),
    ),
    addresses: about('Addresses to query, such as `OCSP http://…` and `CRL http://…`.', list(text)),
  },
  'PlannedCertificate',
);

const planProblem = members({ code: text, message: text, hint: opt(text) }, 'PlanProblem');

const plannedSignature = members(
  {
    name: text,
    kind: oneOf('signature', 'document-timestamp'),
    signer: opt(text),
    level: opt(level),
    intact: about('False: it is left unchanged.', flag),
    missing: about(
      'Additions to make; `timestamp`: it has no valid time-stamp that proves its existence.',
      list(oneOf('timestamp', 'validation-data', 'archive-timestamp')),
    ),
    certificates: list(plannedCertificate),
    problems: list(planProblem),
  },
  'PlannedSignature',
);

/** What archive --plan says of one document. */
const plannedDocument = members(
  {
    input: text,
    format: opt(
      about('Absent if the document cannot be read.', oneOf('pdf', 'xml', 'container', 'cms')),
    ),
    possible: about(
      'False if archiving is known to fail. If true, data to be fetched may still be missing.',
      flag,
    ),
    timestampRequests: whole,
    signatures: list(plannedSignature),
    problems: about('Reasons that the document cannot be archived at all.', list(planProblem)),
    warnings: list(text),
  },
  'PlannedDocument',
);

/** What archive --plan says. */
const archivePlan = members(
  {
    plan: Type.Literal(true),
    timestampAuthorities: about('Time-stamp authorities; empty for the embedded one.', list(text)),
    documents: list(plannedDocument),
  },
  'ArchivePlan',
);

/** One document that was covered with a time-stamp, and nothing else. */
const timestamped = members(made, 'Timestamped');

/** What --dry-run says. */
const plan = members(
  {
    dryRun: Type.Literal(true),
    items: list(members({ inputBytes: whole, action: text, output: opt(text), input: text })),
  },
  'Plan',
);

/** What verify says of one document of several. */
const document = members(
  {
    input: text,
    code: opt(about('Reason that there is nothing to verify: `document.signature.none`.', text)),
    hint: opt(text),
    report: opt(report),
    error: opt(errorData),
  },
  'Document',
);

const uncoveredFile = members(
  {
    code: Type.Literal('document.file.uncovered'),
    severity: Type.Literal('error'),
    message: text,
    file: text,
  },
  'UncoveredFile',
);

/** Several documents. */
const batch = members({ items: list(item), summary: batchSummary });

/** The bodies of the commands that make documents, when they work on one and on many. */
const making = [outcome, plan, batch];

/** The bodies of these commands under --json. */
export const documentBodies = {
  archive: [timestamped, preserved, archivePlan, ...making],
  seal: making,
  'seal-xml': making,
  verify: [
    members({
      findings: opt(list(uncoveredFile)),
      reports: opt(about('Names of the written reports.', list(text))),
      extracted: opt(about('Paths of the extracted files.', list(text))),
      signedVersion: opt(
        about(
          'Result of --signed-version: the document up to the last byte that the signature covers.',
          members({ signature: whole, field: text, output: text, bytes: whole }),
        ),
      ),
      documents: list(document),
    }),
    plan,
    batch,
  ],
} satisfies Shapes;

/** A line of the file that --report names. */
export const reportLines = Type.Union([
  members({ v: Type.Literal(1), ...item.properties }),
  members({ v: Type.Literal(1), summary: batchSummary }),
]);
