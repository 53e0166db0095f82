/** Result of the whole document. */
export type ReportHeadline =
  | 'passed'
  | 'partial'
  | 'open'
  | 'failed'
  | 'none'
  | 'removed'
  | 'unnamed';

/** Act of a person in the report, proven or claimed. */
export type ReportAct =
  | 'proved'
  | 'claimed'
  | 'untimed'
  | 'sealedProved'
  | 'sealedClaimed'
  | 'sealedUntimed'
  | 'statedProved'
  | 'statedClaimed'
  | 'statedUntimed'
  | 'named'
  | 'nameless'
  | 'stamped'
  | 'stampNamed'
  | 'stampNameless';

/** Verdict on a signature, with its main reason. */
export type ReportVerdict =
  | 'passed'
  | 'stated'
  | 'unchecked'
  | 'changed'
  | 'value'
  | 'malformed'
  | 'empty'
  | 'later'
  | 'expired'
  | 'early'
  | 'tooSoon'
  | 'issuerExpired'
  | 'revoked'
  | 'status'
  | 'untrusted'
  | 'chain'
  | 'weak'
  | 'nobody'
  | 'missing'
  | 'missingPart'
  | 'policy'
  | 'order'
  | 'unproved'
  | 'constraints'
  | 'doubted'
  | 'open'
  | 'stampPassed'
  | 'stampLater'
  | 'stampFailed'
  | 'stampUntrusted'
  | 'stampOpen';

/** Reason for ignoring the time-stamp of a signature. */
export type ReportCause = 'weak' | 'untrusted' | 'later' | 'open';

/** Advice to the reader of a report. */
export type ReportAdvice =
  | 'original'
  | 'resign'
  | 'later'
  | 'timely'
  | 'online'
  | 'checkLater'
  | 'root'
  | 'files'
  | 'ask';

/** Labels of values, and headings of the report. */
export type ReportLabel =
  | 'document'
  | 'file'
  | 'size'
  | 'digest'
  | 'checkedAt'
  | 'software'
  | 'result'
  | 'signature'
  | 'seal'
  | 'timestamp'
  | 'field'
  | 'signer'
  | 'issuer'
  | 'serialNumber'
  | 'validity'
  | 'fingerprint'
  | 'anchor'
  | 'qualification'
  | 'level'
  | 'integrity'
  | 'coverage'
  | 'time'
  | 'algorithm'
  | 'stamp'
  | 'claims'
  | 'claimedTime'
  | 'name'
  | 'reason'
  | 'location'
  | 'role'
  | 'commitment'
  | 'policy'
  | 'certifies'
  | 'changes'
  | 'revocation'
  | 'checks'
  | 'findings'
  | 'notChecked'
  | 'uncovered'
  | 'page'
  | 'continued';

/** Values and notes given as text. */
export type ReportText =
  | 'intact'
  | 'broken'
  | 'unproved'
  | 'untrusted'
  | 'uncounted'
  | 'according'
  | 'claimed'
  | 'whole'
  | 'revision'
  | 'part'
  | 'p1'
  | 'p2'
  | 'p3'
  | 'english'
  | 'require'
  | 'online'
  | 'ignore'
  | 'unicode'
  | 'scope'
  | 'testOnly';

/** Basic building blocks of a validation. @spec ETSI EN 319 102-1 §5.2, §5.5, §5.6 */
export type BuildingBlockName =
  | 'format-checking'
  | 'signing-certificate'
  | 'validation-context'
  | 'x509-validation'
  | 'cryptographic-verification'
  | 'signature-acceptance'
  | 'past-validation'
  | 'proof-of-existence';

/** Texts of validation reports in one language, with placeholders in double braces. */
export interface ReportWords {
  readonly title: string;
  readonly headlines: Readonly<Record<ReportHeadline, string>>;
  readonly acts: Readonly<Record<ReportAct, string>>;
  readonly verdicts: Readonly<Record<ReportVerdict, string>>;
  readonly causes: Readonly<Record<ReportCause, string>>;
  readonly advice: Readonly<Record<ReportAdvice | 'label', string>>;
  readonly labels: Readonly<Record<ReportLabel, string>>;
  readonly blocks: Readonly<Record<BuildingBlockName, string>>;
  readonly states: Readonly<Record<'PASSED' | 'FAILED' | 'INDETERMINATE' | 'NOT-RUN', string>>;
  readonly texts: Readonly<Record<ReportText, string>>;
}
