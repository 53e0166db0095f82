import { Type } from '@sinclair/typebox';
import {
  about,
  coverage,
  flag,
  indication,
  level,
  list,
  members,
  moment,
  oneOf,
  opt,
  text,
  whole,
} from './words.ts';

const signerSummary = members(
  {
    subject: about('RFC 4514 name.', text),
    issuer: text,
    serialNumber: text,
    notBefore: moment,
    notAfter: moment,
    holder: opt(
      about(
        'Kind of person that the certificate identifies. Absent if it does not state it.',
        oneOf('natural-person', 'legal-person'),
      ),
    ),
  },
  'SignerSummary',
);

const certificateStatus = members(
  {
    time: moment,
    qualified: opt(
      about('Whether the certificate is qualified. Absent if the lists do not state it.', flag),
    ),
    purpose: oneOf('esig', 'eseal', 'web', 'unknown'),
    device: about('True if the key is in a qualified signature creation device.', flag),
  },
  'CertificateStatus',
);

const qualification = members(
  {
    result: about(
      'According to trusted lists (ETSI TS 119 615); `not-AdES` if it is not valid or its ' +
        'certificate is not for signatures, INDETERMINATE if the lists do not determine it.',
      oneOf(
        ...['QESig', 'QESeal', 'QES', 'AdESig-QC', 'AdESeal-QC', 'AdES-QC', 'AdESig', 'AdESeal'],
        ...['AdES', 'QTST', 'TST', 'not-AdES', 'INDETERMINATE'],
      ),
    ),
    reasons: list(text),
    certificate: opt(members({ atIssuance: certificateStatus, atBestTime: certificateStatus })),
    service: opt(
      members({
        territory: text,
        list: about('Sequence number of the list.', whole),
        provider: text,
        name: text,
        type: text,
        status: text,
        since: moment,
      }),
    ),
  },
  'QualificationReport',
);

const timestampSummary = members(
  {
    covers: opt(
      about(
        'Covered data of the time-stamp: the signature value (`signature`); everything up to it ' +
          '(`archive`); the data before it was signed (`content`); the references to validation ' +
          'data (`references`). Omitted in a PDF, where it is the signature value.',
        oneOf('archive', 'signature', 'content', 'references'),
      ),
    ),
    time: about(
      'Time stated by the token, ISO 8601. Empty if the token cannot be read.',
      Type.Union([moment, Type.Literal('')]),
    ),
    authority: text,
    serialNumber: about('Hexadecimal.', text),
    valid: flag,
    trusted: flag,
    anchor: opt(about('RFC 4514 name of the anchor that makes it trusted.', text)),
    problem: opt(
      about(
        'Code of the reason why it is not valid; `tsa.imprint.unknown` if this is undecided.',
        text,
      ),
    ),
    timeProblem: opt(
      about(
        'Sub-indication if its time proves nothing although it is valid and trusted. Absent if ' +
          'the time counts.',
        text,
      ),
    ),
    message: opt(
      about('Reason why it is not valid or not trusted, or why its time proves nothing.', text),
    ),
    qualification: opt(qualification),
  },
  'TimestampSummary',
);

const finding = members(
  {
    code: about(
      'Stable dotted code: `signature.digest.mismatch`, `baseline.signing-time.present`, …',
      text,
    ),
    severity: oneOf('error', 'warning', 'info'),
    message: about('Human-readable description of what was expected and found.', text),
  },
  'Finding',
);

const buildingBlock = members(
  {
    name: oneOf(
      'format-checking',
      'signing-certificate',
      'validation-context',
      'x509-validation',
      'cryptographic-verification',
      'signature-acceptance',
      'past-validation',
      'proof-of-existence',
    ),
    indication: about(
      '`NOT-RUN`: an earlier conclusion is final, or there is nothing to check.',
      oneOf('PASSED', 'INDETERMINATE', 'FAILED', 'NOT-RUN'),
    ),
    subIndication: opt(text),
    constraint: about('Code of the decisive finding or check.', text),
    message: about('Human-readable description of what was expected and found.', text),
  },
  'BuildingBlock',
);

/** Members for every signature, regardless of format. */
const judgement = {
  indication,
  subIndication: opt(text),
  level: opt(
    about(
      'Level that the signature reaches in this file. Absent if it is not a baseline signature.',
      level,
    ),
  ),
  intact: opt(
    about(
      'Whether digest and signature value match the covered bytes. Absent if the algorithm is ' +
        'unsupported, because nothing was refuted then.',
      flag,
    ),
  ),
  trusted: about('Whether a certification path leads to a trust anchor at `bestTime`.', flag),
  algorithm: opt(text),
  signer: opt(signerSummary),
  anchor: opt(about('RFC 4514 name of the anchor that makes it trusted.', text)),
  claimedTime: opt(about('Signing time claimed by the signer, ISO 8601.', moment)),
  bestTime: about('The earliest proven time, or else the time of verification, ISO 8601.', moment),
  timeProved: about(
    'True if a time-stamp proves `bestTime`; otherwise it is the time of verification.',
    flag,
  ),
  timestamps: list(timestampSummary),
  qualification: opt(
    about('Qualification according to trusted lists. Absent if none were given.', qualification),
  ),
  findings: list(finding),
  buildingBlocks: opt(
    about('The basic building blocks of ETSI EN 319 102-1 §5.2, §5.6.2.', list(buildingBlock)),
  ),
};

const changeLevels = ['long-term-data', 'form-filling', 'annotations', 'other'] as const;

const changeKinds = [
  'validation-data',
  'timestamp',
  'signature',
  'field',
  'description',
  'value',
  'annotation',
  'other',
] as const;

const changesReport = members(
  {
    level: about(
      'Level of the changes. Each level includes the previous ones: `none`; `long-term-data` ' +
        '(validation data, document time-stamps); `form-filling` (fields, signatures, document ' +
        'metadata); `annotations` (comments); `other`, which is never permitted.',
      oneOf('none', ...changeLevels),
    ),
    permitted: about(
      'True if all changes are permitted, by the signature and by the certification.',
      flag,
    ),
    list: about(
      'The changes, at most 64, starting with those that are not permitted.',
      list(
        members(
          {
            level: oneOf(...changeLevels),
            kind: about(
              'Kind of the change: `validation-data`, `timestamp`, `signature` and `field` (an added ' +
                'empty field) leave the visible content unchanged; `description` is not displayed on ' +
                'any page; `value` is a filled-in value.',
              oneOf(...changeKinds),
            ),
            message: about('Human-readable description of the change, with page and field.', text),
            page: opt(
              about(
                'Page on which it is visible, counted from 1. Absent if it is not visible.',
                whole,
              ),
            ),
            field: opt(about('Fully qualified name of the field.', text)),
          },
          'ChangeReport',
        ),
      ),
    ),
  },
  'ChangesReport',
);

const signatureReport = members(
  {
    kind: oneOf('signature', 'document-timestamp'),
    field: about('Fully qualified field name.', text),
    subFilter: text,
    coverage: about(
      '`whole-file`: every byte except the signature value itself; `revision`: the file as it ' +
        'was when signed, followed by later updates; `partial`: other bytes are not covered.',
      oneOf('partial', 'whole-file', 'revision'),
    ),
    byteRange: list(whole),
    name: opt(
      about(
        'Name of the signer as stated in the document. The certificate is authoritative.',
        text,
      ),
    ),
    statedSigner: opt(
      about(
        'The person who signed, as stated by the certificate holder in a name that the ' +
          'signature covers. Only the certificate holder vouches for this, not a certificate of ' +
          'that person.',
        text,
      ),
    ),
    reason: opt(text),
    location: opt(text),
    certifies: opt(
      about(
        'DocMDP permission if this is a certification signature.',
        Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)]),
      ),
    ),
    changes: opt(
      about(
        'Changes by updates after it. Absent if it does not cover its own revision completely.',
        changesReport,
      ),
    ),
    ...judgement,
  },
  'SignatureReport',
);

const revocationInquiry = members(
  {
    certificate: about('RFC 4514 name of the certificate.', text),
    source: about('`OCSP http://…`, `CRL http://…`, or the name of a source.', text),
    answered: about(
      'True if a readable response was received; the conclusions state whether it counts.',
      flag,
    ),
    message: opt(about('Reason why there is no response.', text)),
  },
  'RevocationInquiry',
);

/** Members of every report. */
const frame = {
  v: about('Version of this report format.', Type.Literal(1)),
  indication: about(
    'The worst indication of all signatures; INDETERMINATE if there are none. An archive ' +
      'time-stamp of a container is not counted separately from what it preserves: an invalid ' +
      'one proves nothing and lowers the level.',
    indication,
  ),
  coverage: about(
    'Part of the document that is covered by at least one passed signature.',
    coverage,
  ),
  verifiedAt: moment,
  revocation: opt(
    about(
      'Revocation mode and requests. Absent in the report on a new seal.',
      members(
        {
          mode: about(
            'Treatment of an unknown revocation status: with `require` and `online` the indication ' +
              'is INDETERMINATE, with `ignore` it is a finding; `online` queries the sources first.',
            oneOf('require', 'online', 'ignore'),
          ),
          asked: about('Requests sent with `online`, in this order.', list(revocationInquiry)),
        },
        'RevocationReport',
      ),
    ),
  ),
  testOnly: opt(
    about(
      'True if a signature or time-stamp is trusted through TEST ONLY keys, of no legal value.',
      Type.Literal(true),
    ),
  ),
  notJudged: about(
    'Checks that this version does not perform: read them before relying on the report.',
    list(text),
  ),
};

const pdfVerificationReport = members(
  {
    format: Type.Literal('pdf'),
    signatures: list(signatureReport),
    removedSignatures: opt(
      about(
        'Fields whose signatures an update removed. Absent if the document still has a signature.',
        list(text),
      ),
    ),
    unnamedSignatures: opt(
      about(
        'Objects with a signature that no form field refers to. Absent if the document has any ' +
          'other signature. They were not verified.',
        list(text),
      ),
    ),
    uncoveredBytes: about(
      'Number of bytes after everything that intact signatures cover: the whole file if none ' +
        'is intact.',
      whole,
    ),
    ...frame,
  },
  'PdfVerificationReport',
);

const referenceReport = members(
  {
    uri: opt(about('URI as written. Absent if the reference has none.', text)),
    type: opt(about('`Type` of the reference, as written.', text)),
    scope: about(
      '`document`: the whole document except signatures; `element`: a part of it; ' +
        '`signature`: an object in the signature; `properties`: claims of the signer about the ' +
        'signature; `key`: the key information; `file`: an external file; `manifest`: a list of ' +
        'further references, which follow with `listedBy`; `nothing`: the digest matches, but ' +
        'the transforms select nothing.',
      oneOf('signature', 'document', 'element', 'properties', 'key', 'file', 'manifest', 'nothing'),
    ),
    target: opt(about('Name of the covered element or file.', text)),
    listedBy: opt(
      about('URI of the manifest that lists it. Absent if the signature itself does.', text),
    ),
    digest: text,
    status: about(
      '`valid`, `changed`, `missing` (target not found), `refused` (must not be processed).',
      oneOf('valid', 'changed', 'missing', 'refused'),
    ),
    message: opt(about('Reason why it is not valid.', text)),
  },
  'ReferenceReport',
);

const countersignatures = opt(
  about(
    'Conclusions on signatures over the value of this one. They do not affect its conclusion.',
    list(
      members(
        {
          countersigns: opt(
            about(
              'Index of the countersignature that it covers. Absent if it covers the signature itself.',
              whole,
            ),
          ),
          ...judgement,
        },
        'CountersignatureReport',
      ),
    ),
  ),
);

const xmlSignatureReport = members(
  {
    kind: Type.Literal('signature'),
    form: oneOf('xades', 'xmldsig'),
    id: opt(about('`Id` of the signature.', text)),
    offsetBytes: about('Byte offset in the document at which the signature starts.', whole),
    file: opt(about('File of a container with the signature.', text)),
    coverage: about(
      '`document`: the whole document except signatures is covered; `partial`: some of its ' +
        'elements; `none`: nothing of the surrounding document (enveloping and detached ' +
        'signatures).',
      oneOf('partial', 'none', 'document'),
    ),
    references: list(referenceReport),
    roles: opt(list(text)),
    location: opt(
      about('Parts of the signature production place: city, state, postal code, country.', text),
    ),
    commitments: opt(list(text)),
    policy: opt(
      about('Identifier of the signature policy, which is reported but not checked.', text),
    ),
    countersignatures,
    ...judgement,
  },
  'XmlSignatureReport',
);

const xmlVerificationReport = members(
  {
    format: Type.Literal('xml'),
    signatures: list(xmlSignatureReport),
    ...frame,
  },
  'XmlVerificationReport',
);

const cmsSignatureReport = members(
  {
    kind: oneOf('signature', 'document-timestamp'),
    form: oneOf('cades', 'cms', 'timestamp'),
    file: opt(about('File of the container with the signature.', text)),
    references: about(
      'Files that it covers, directly or by way of a manifest.',
      list(referenceReport),
    ),
    countersignatures,
    ...judgement,
  },
  'CmsSignatureReport',
);

const containedFile = members(
  {
    name: text,
    lengthBytes: whole,
    covered: about('True if an intact signature covers it.', flag),
  },
  'ContainerFile',
);

const containerVerificationReport = members(
  {
    format: oneOf('asic-s', 'asic-e'),
    signatures: list(Type.Union([xmlSignatureReport, cmsSignatureReport])),
    files: about(
      'All files but those of the container format; foreign META-INF files count as uncovered.',
      list(containedFile),
    ),
    ...frame,
  },
  'ContainerVerificationReport',
);

const cmsVerificationReport = members(
  {
    format: Type.Literal('cms'),
    signatures: list(cmsSignatureReport),
    enveloping: about(
      'True if the content is embedded in the file; otherwise it is detached.',
      flag,
    ),
    ...frame,
  },
  'CmsVerificationReport',
);

/** Report of `verify` on one document. */
export const report = Type.Union([
  pdfVerificationReport,
  xmlVerificationReport,
  containerVerificationReport,
  cmsVerificationReport,
]);
