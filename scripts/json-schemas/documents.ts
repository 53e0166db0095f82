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
    subject: about('RFC 4514 text.', text),
    issuer: text,
    serialNumber: text,
    notBefore: moment,
    notAfter: moment,
    holder: opt(
      about(
        'The kind of person that the certificate names; absent when it does not say.',
        oneOf('natural-person', 'legal-person'),
      ),
    ),
  },
  'SignerSummary',
);

const certificateStatus = members(
  {
    time: moment,
    qualified: opt(about('Absent when the lists do not say.', flag)),
    purpose: oneOf('esig', 'eseal', 'web', 'unknown'),
    device: about('The key is in a qualified device for creating signatures.', flag),
  },
  'CertificateStatus',
);

const qualification = members(
  {
    result: about(
      'By trusted lists (ETSI TS 119 615); `not-AdES` when it is not valid or its certificate is ' +
        'not for signatures, INDETERMINATE when the lists do not say.',
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
        'What it covers: the signature value; everything up to it (`archive`); what ' +
          'was signed, before it was signed (`content`); the references to validation ' +
          'data (`references`). Left out in a PDF, where it is the signature value.',
        oneOf('archive', 'signature', 'content', 'references'),
      ),
    ),
    time: about(
      'Time that it states; empty when it cannot be read.',
      Type.Union([moment, Type.Literal('')]),
    ),
    authority: text,
    serialNumber: about('Hexadecimal.', text),
    valid: flag,
    trusted: flag,
    anchor: opt(about('RFC 4514 name of the anchor that makes it trusted.', text)),
    problem: opt(
      about('Code of why it is not valid; `tsa.imprint.unknown` when that is left open.', text),
    ),
    timeProblem: opt(
      about(
        'Sub-indication of why its time proves nothing, though it is valid and trusted; absent ' +
          'when the time counts.',
        text,
      ),
    ),
    message: opt(
      about('Why it is not valid or not trusted, or why its time proves nothing.', text),
    ),
    qualification: opt(qualification),
  },
  'TimestampSummary',
);

const finding = members(
  {
    code: about(
      'Stable dotted name: `signature.digest.mismatch`, `baseline.signing-time.present`, …',
      text,
    ),
    severity: oneOf('error', 'warning', 'info'),
    message: about('Expected and found, for people.', text),
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
      '`NOT-RUN`: an earlier conclusion left nothing to decide, or there is nothing to check.',
      oneOf('PASSED', 'INDETERMINATE', 'FAILED', 'NOT-RUN'),
    ),
    subIndication: opt(text),
    constraint: about('Code of the finding or of the check that decided.', text),
    message: about('Expected and found, for people.', text),
  },
  'BuildingBlock',
);

/** What is said of every signature, whatever format carries it. */
const judgement = {
  indication,
  subIndication: opt(text),
  level: opt(
    about(
      'Level that the signature reaches in this file; absent when it is no baseline signature.',
      level,
    ),
  ),
  intact: opt(
    about(
      'Digest and signature value fit the covered bytes. Absent when nothing here knows the ' +
        'algorithm: then nothing was refuted.',
      flag,
    ),
  ),
  trusted: about('A path leads to a given anchor at the best time known.', flag),
  algorithm: opt(text),
  signer: opt(signerSummary),
  anchor: opt(about('RFC 4514 name of the anchor that makes it trusted.', text)),
  claimedTime: opt(about('What the signer claims, ISO 8601.', moment)),
  bestTime: about(
    'The earliest time that is proved, else the time of verification, ISO 8601.',
    moment,
  ),
  timeProved: about(
    'True when a time-stamp proves `bestTime`; else it is the time of verification.',
    flag,
  ),
  timestamps: list(timestampSummary),
  qualification: opt(
    about('What it is by trusted lists; absent when none were given.', qualification),
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
      'How much was changed, each level with those before it: `none`; `long-term-data` ' +
        '(validation data, document time-stamps); `form-filling` (fields, signatures, the ' +
        'description of the document); `annotations` (comments); `other`, which nothing permits.',
      oneOf('none', ...changeLevels),
    ),
    permitted: about(
      'True when all of it is permitted: by the signature, and by the certification.',
      flag,
    ),
    list: about(
      'The changes, those that are not permitted first; at most 64.',
      list(
        members(
          {
            level: oneOf(...changeLevels),
            kind: about(
              'What kind of change it is: `validation-data`, `timestamp`, `signature` and `field` ' +
                '(an empty one that was added) leave what people read as it was; `description` ' +
                'is what no page shows; `value` is what was filled in.',
              oneOf(...changeKinds),
            ),
            message: about('What was changed, for people: by page and field.', text),
            page: opt(about('Page on which it shows, counted from 1.', whole)),
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
      '`whole-file`: every byte but the signature value itself; `revision`: the ' +
        'file as it was at signing, later updates follow; `partial`: something else ' +
        'was left out.',
      oneOf('partial', 'whole-file', 'revision'),
    ),
    byteRange: list(whole),
    name: opt(
      about(
        'In whose name it was made, as the document says it; the certificate says who did it.',
        text,
      ),
    ),
    statedSigner: opt(
      about(
        'The person who signed, as the holder of the certificate states by a name that the ' +
          'signature covers; no certificate of that person proves it.',
        text,
      ),
    ),
    reason: opt(text),
    location: opt(text),
    certifies: opt(
      about(
        'DocMDP permission, when this is a certification signature.',
        Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)]),
      ),
    ),
    changes: opt(
      about(
        'What updates after it changed; absent when it leaves out a part of its own revision.',
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
      'True when something came that could be read; whether it counts is for the conclusions.',
      flag,
    ),
    message: opt(about('Why nothing came.', text)),
  },
  'RevocationInquiry',
);

/** What every report has. */
const frame = {
  v: about('Version of this shape.', Type.Literal(1)),
  indication: about(
    'The worst of all signatures; INDETERMINATE when there is none. An archive ' +
      'time-stamp of a container does not count beside what it preserves: broken, ' +
      'it proves nothing, and levels fall.',
    indication,
  ),
  coverage: about('What part of the document at least one passed signature covers.', coverage),
  verifiedAt: moment,
  revocation: opt(
    about(
      'How revocation was judged; absent in the report on a new seal.',
      members(
        {
          mode: about(
            'What a revocation status that is not known means: `require` and `online` make the ' +
              'conclusion INDETERMINATE, `ignore` makes it a finding; `online` asks first.',
            oneOf('require', 'online', 'ignore'),
          ),
          asked: about('With `online`: what was asked, in this order.', list(revocationInquiry)),
        },
        'RevocationReport',
      ),
    ),
  ),
  testOnly: opt(
    about(
      'True when a signature or time-stamp is trusted through TEST ONLY keys, of no legal value.',
      Type.Literal(true),
    ),
  ),
  notJudged: about(
    'What this version does not judge: read it before you rely on the report.',
    list(text),
  ),
};

const pdfVerificationReport = members(
  {
    format: Type.Literal('pdf'),
    signatures: list(signatureReport),
    removedSignatures: opt(
      about(
        'Fields whose signatures an update removed; absent while there is any signature.',
        list(text),
      ),
    ),
    unnamedSignatures: opt(
      about(
        'Objects with a signature that no field of the form names; nothing was verified of them.',
        list(text),
      ),
    ),
    uncoveredBytes: about(
      'Bytes behind all that intact signatures cover: the whole file when none is intact.',
      whole,
    ),
    ...frame,
  },
  'PdfVerificationReport',
);

const referenceReport = members(
  {
    uri: opt(about('As written; undefined when the reference has none.', text)),
    type: opt(about('`Type` of the reference, as written.', text)),
    scope: about(
      '`document`: the whole document but signatures; `element`: a part of it; ' +
        '`signature`: an object inside the signature; `properties`: what the signer ' +
        'says about the signature; `key`: the key information; `file`: something ' +
        'outside the document; `manifest`: a list of further references, which ' +
        'follow with `listedBy`; `nothing`: the digest is right, but the transforms leave nothing.',
      oneOf('signature', 'document', 'element', 'properties', 'key', 'file', 'manifest', 'nothing'),
    ),
    target: opt(about('Name of the element that is covered, or of the file.', text)),
    listedBy: opt(
      about('URI of the manifest that lists it; absent when the signature itself does.', text),
    ),
    digest: text,
    status: about(
      '`valid`, `changed`, `missing` (nothing there), `refused` (may not be processed).',
      oneOf('valid', 'changed', 'missing', 'refused'),
    ),
    message: opt(about('Why it is not valid.', text)),
  },
  'ReferenceReport',
);

const countersignatures = opt(
  about(
    'Conclusions on signatures over the value of this one: they change nothing of its own.',
    list(
      members(
        {
          countersigns: opt(
            about(
              'Place in the list of the one whose value it is over. Absent: it is over the ' +
                'signature itself.',
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
    offsetBytes: about('Byte of the document at which the signature starts.', whole),
    file: opt(about('File of a container that holds the signature.', text)),
    coverage: about(
      '`document`: all of the document but signatures is covered; `partial`: ' +
        'elements of it; `none`: nothing of the document around it (enveloping and ' +
        'detached signatures).',
      oneOf('partial', 'none', 'document'),
    ),
    references: list(referenceReport),
    roles: opt(list(text)),
    location: opt(
      about('Parts of the signature production place: city, state, postal code, country.', text),
    ),
    commitments: opt(list(text)),
    policy: opt(about('Identifier of the signature policy; it is shown, not judged.', text)),
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
    file: opt(about('File of the container that holds the signature.', text)),
    references: about(
      'Files that it covers, by way of a manifest or itself.',
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
    covered: about('True when an intact signature covers it.', flag),
  },
  'ContainerFile',
);

const containerVerificationReport = members(
  {
    format: oneOf('asic-s', 'asic-e'),
    signatures: list(Type.Union([xmlSignatureReport, cmsSignatureReport])),
    files: about(
      'All but those that make the container; a stranger in META-INF is one, and never covered.',
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
    enveloping: about('True when the content stands in the file; else it is beside it.', flag),
    ...frame,
  },
  'CmsVerificationReport',
);

/** What `verify` says of one document. */
export const report = Type.Union([
  pdfVerificationReport,
  xmlVerificationReport,
  containerVerificationReport,
  cmsVerificationReport,
]);
