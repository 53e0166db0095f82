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

/** End of validity of a document as it is. */
const provesUntil = members(
  {
    time: about('The first moment at which it is no longer valid evidence, ISO 8601, UTC.', text),
    cause: oneOf('certificate', 'algorithm'),
    reason: about('The certificate or algorithm that expires, for display.', text),
  },
  'ProvesUntil',
);

/** Result of one document of a batch. */
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

/** Summary of a batch. */
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

/** Members for every created document. */
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

/** One sealed or archived document. */
const outcome = members(
  {
    ...{ signer: text, level, sealCount: opt(whole), signatureId: opt(text) },
    ...{ inputs: opt(list(text)), ...made },
  },
  'Outcome',
);

/** One archived document whose signatures meet no baseline profile. */
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

/** Result of `archive --plan` for one document. */
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

/** Result of `archive --plan`. */
const archivePlan = members(
  {
    plan: Type.Literal(true),
    timestampAuthorities: about('Time-stamp authorities; empty for the embedded one.', list(text)),
    documents: list(plannedDocument),
  },
  'ArchivePlan',
);

/** One document that was only time-stamped. */
const timestamped = members(made, 'Timestamped');

/** Result of --dry-run. */
const plan = members(
  {
    dryRun: Type.Literal(true),
    items: list(members({ inputBytes: whole, action: text, output: opt(text), input: text })),
  },
  'Plan',
);

/** Result of `verify` for one of the named documents. */
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

/** A batch of documents. */
const batch = members({ items: list(item), summary: batchSummary });

/** Documents of the commands that create documents, for one input and for several. */
const making = [outcome, plan, batch];

/** Documents of these commands with --json. */
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

/** A line of the file written by --report. */
export const reportLines = Type.Union([
  members({ v: Type.Literal(1), ...item.properties }),
  members({ v: Type.Literal(1), summary: batchSummary }),
]);
