import type { BuildingBlockName } from '../../base/words/index.ts';

/** Severity of a finding. */
export type Severity = 'error' | 'warning' | 'info';

/** Description of a finding code, for docs/findings.md. */
export interface FindingKind {
  /** Default severity. */
  readonly severity: Severity;
  /** Alternative severity of the code. */
  readonly otherwise?: Severity;
  readonly summary: string;
  /** Clauses of the standard that the finding concerns. */
  readonly clause: string;
  /** Blocks that the finding can decide. If none, the sub-indication determines the block. */
  readonly blocks: readonly BuildingBlockName[];
}

const kind =
  (severity: Severity, otherwise?: Severity) =>
  (clause: string, summary: string, ...blocks: readonly BuildingBlockName[]): FindingKind => ({
    severity,
    ...(otherwise === undefined ? {} : { otherwise }),
    summary,
    clause,
    blocks,
  });
const error = kind('error');
const warning = kind('warning');
const info = kind('info');

const format = 'format-checking';
const signer = 'signing-certificate';
const path = 'x509-validation';
const crypto = 'cryptographic-verification';
const acceptance = 'signature-acceptance';
const past = 'past-validation';
const existence = 'proof-of-existence';

const validation = 'EN 319 102-1';
const pades = 'EN 319 142-1';
const xades = 'EN 319 132-1';
const cades = 'EN 319 122-1';
const asic = 'EN 319 162-1';
const pdf = 'ISO 32000-2';
const xmldsig = 'XML-Signature 1.1';
const baselines = `${pades} §6.3, ${cades} §6.3, ${xades} §6.3`;

/** All codes of findings of `verify`, except those of time-stamps (`tsa.…`). */
export const findingKinds = {
  'certificate.untrusted': warning(
    `${validation} §5.2.6`,
    'No path leads to a trust anchor.',
    path,
  ),
  'certificate.revoked': error(
    `${validation} §5.2.6`,
    'A certificate of the path is revoked.',
    path,
  ),
  'revocation.unknown': warning(
    `${validation} §5.2.6`,
    'The revocation status of a certificate is unknown.',
    path,
  ),
  'key.usage.forbidden': error(`${validation} §5.2.6`, 'The key is not permitted to sign.', path),
  'algorithm.weak': error(`${validation} §5.2.8`, 'An algorithm or key was too weak.', acceptance),
  'trust.service.ended': warning('TS 119 612 §5.5.4', 'The trust service of the issuer has ended.'),

  'signature.algorithm.changed': error(
    'RFC 6211',
    'The algorithms in the signed attributes differ from those of the signature.',
    acceptance,
  ),
  'signature.algorithm.unsupported': error(
    `${validation} §5.2.7`,
    'The algorithm of the signature is not supported.',
    acceptance,
  ),
  'signature.attribute.unchecked': info(
    `${cades} §6.3`,
    'An attribute is present but not checked.',
  ),
  'signature.attributes.invalid': error(
    'RFC 5652 §11.1–§11.4, RFC 6211 §2, RFC 5035 §2, §3',
    'An attribute is in the wrong place or does not have exactly one value.',
    acceptance,
  ),
  'signature.attributes.missing': error(
    `${cades} §5.1`,
    'A CMS signature has no signed attributes.',
    acceptance,
  ),
  'signature.attributes.not-der': error(
    'RFC 5652 §5.4',
    'The signature matches the attributes as encoded, but not their DER encoding.',
    acceptance,
  ),
  'signature.attributes.repeated': error(
    'RFC 5652 §11',
    'A signed attribute occurs twice.',
    acceptance,
  ),
  'signature.attributes.stripped': error(
    'RFC 5652 §5.3, §5.4',
    'The content is the signed attributes of a different signature.',
    acceptance,
  ),
  'signature.canonicalization.unsupported': error(
    `${validation} §5.2.7`,
    'The canonicalization of SignedInfo is not supported.',
  ),
  'signature.certificate.misfit': warning(
    `${validation} §5.2.3`,
    'The reference to the signing certificate does not match the key.',
    signer,
  ),
  'signature.certificate.missing': kind('error', 'warning')(
    `${validation} §5.2.3`,
    'The signing certificate is missing; a warning if there is a bare key.',
    signer,
  ),
  'signature.certificate.unbound': error(
    `${cades} §5.2.2, ${xades} §5.2.2`,
    'No signed attribute or property identifies the signing certificate by its digest.',
    signer,
    acceptance,
  ),
  'signature.cms.empty': error(
    `${pdf} §12.8.1`,
    'The signature was prepared but never created.',
    format,
  ),
  'signature.cms.invalid': error('RFC 5652 §5', 'The CMS of the signature is malformed.', format),
  'signature.cms.limit': error(
    `${validation} §5.1.3`,
    'A CMS signature has more signers, time-stamps or validation data than are checked.',
  ),
  'signature.cms.signers': error(
    'RFC 5652 §5.1',
    'The CMS does not have exactly one signer.',
    format,
  ),
  'signature.cms.trailing': kind('error', 'info')(
    'RFC 5652 §5',
    'Bytes follow the signature in its file; only information for a line ending.',
    format,
  ),
  'signature.comment.uncovered': warning(`${xmldsig} §4`, 'An uncovered comment splits a text.'),
  'signature.content.missing': error(
    `${validation} §5.2.7`,
    'The signed content is not available.',
  ),
  'signature.content-type.mismatch': error(
    'RFC 5652 §11.1',
    'The attribute content-type does not match the signed type.',
  ),
  'signature.countersigned': info(`${xades} §5.2.7`, 'The signature has countersignatures.'),
  'signature.countersigned.other': error(
    `${xades} §5.2.7`,
    'A countersignature does not cover the signature around it.',
  ),
  'signature.coverage.none': warning(
    `${xmldsig} §4.4.3`,
    'The signature does not cover the document around it.',
  ),
  'signature.coverage.partial': warning(
    `${xmldsig} §4.4.3`,
    'The signature covers only a part of the document.',
  ),
  'signature.data.none': error(
    `${xmldsig} §4.4.3`,
    'The references cover only the signature itself.',
  ),
  'signature.digest.disallowed': error(
    'RFC 8933 §3.1, RFC 8419 §3.1',
    'The digest algorithm is not allowed with the signature algorithm.',
    crypto,
  ),
  'signature.digest.mismatch': error(
    `${validation} §5.2.7`,
    'The signed data was changed.',
    crypto,
  ),
  'signature.digest.named': error(
    'RFC 5652 §5.3, §10.1.1',
    'A signature algorithm is named in place of the digest algorithm.',
    crypto,
  ),
  'signature.digest.unlisted': error(
    'RFC 5652 §5.1',
    'The SignedData does not list the digest algorithm of the signer.',
    crypto,
  ),
  'signature.duplicate': warning(
    `${xmldsig} §3.2`,
    'The same signature occurs several times in the document and counts once.',
  ),
  'signature.file.uncovered': warning(
    `${validation} §5`,
    'The signature does not cover a supplied file.',
  ),
  'signature.format.unsupported': error(`${pdf} §12.8.1`, 'The /SubFilter is not supported.'),
  'signature.nested': warning(`${xades} §4.3.1`, 'Nested signatures are not checked.'),
  'signature.object.elsewhere': error(
    `${xmldsig} §4.6`,
    'A reference of type Object does not lead to an Object of the signature.',
  ),
  'signature.object.uncovered': warning(
    `${xmldsig} §4`,
    'The signature contains uncovered data that looks like content.',
  ),
  'signature.origin.uncovered': error(
    `${pdf} §12.8.1`,
    'The covered bytes do not contain this signature field.',
  ),
  'signature.properties.invalid': error(
    `${xades} §4.3`,
    'The qualifying properties are malformed.',
  ),
  'signature.properties.none': error(`${xades} §4.4.2`, 'An XML signature without XAdES.'),
  'signature.properties.uncovered': error(
    `${xades} §4.4.2`,
    'The signature does not cover its signed properties.',
  ),
  'signature.properties.untyped': error(
    `${xades} §4.4.2`,
    'The reference to the signed properties lacks its type.',
  ),
  'signature.range.hole': error(
    `${pdf} §12.8.1`,
    'The gap in /ByteRange is not exactly the signature value.',
    format,
  ),
  'signature.range.invalid': error(`${pdf} §12.8.1`, '/ByteRange is malformed.', format),
  'signature.reference.missing': error(
    `${validation} §5.2.7.4`,
    'The data of a reference is missing.',
  ),
  'signature.reference.refused': error(
    `${validation} §5.2.7.4`,
    'A reference selects its data in a forbidden or unsupported way.',
  ),
  'signature.second-opinion.agrees': info(
    `${validation} §5.1.3`,
    'A second implementation confirms the signature.',
    crypto,
  ),
  'signature.second-opinion.disagrees': error(
    `${validation} §5.1.3`,
    'A second implementation rejects the signature.',
    crypto,
  ),
  'signature.second-opinion.none': info(
    `${validation} §5.1.3`,
    'A second implementation cannot check the signature.',
    crypto,
  ),
  'signature.text.split': warning(`${xmldsig} §4`, 'The signature is inside a text.'),
  'signature.time.missing': error(
    `${cades} §5.2.1, ${xades} §5.2.1`,
    'No signed attribute or property states the signing time.',
    acceptance,
  ),
  'signature.time.outside': error(
    `${validation} §5.2.8.4`,
    'The certificate was not valid at the claimed signing time.',
    acceptance,
  ),
  'signature.value.form': warning(
    `${xmldsig} §6.4.1, §6.4.3`,
    'The signature value has an unusual encoding.',
    crypto,
  ),
  'signature.value.invalid': error(
    `${validation} §5.2.7`,
    'The signature was not made with this key.',
    crypto,
  ),
  'signature.xml.invalid': error(`${xmldsig} §4`, 'The XML signature is malformed.', format),

  'document.changed': warning(
    `${pades} §5.5, ${pdf} §12.8.2.2.2`,
    'An update after the signature changed the document.',
    format,
  ),
  'document.look.covers': warning(
    `${pdf} §12.8.2.2.2`,
    'The appearance of a later signature may cover page content.',
  ),

  'timestamp.time.later': kind('warning', 'error')(
    `${validation} §5.4`,
    'The time-stamp is later than the time of verification.',
    past,
    existence,
  ),
  'timestamp.time.unproved': kind('warning', 'error')(
    `${validation} §5.4, §5.6`,
    'The time-stamp proves no time.',
    past,
    existence,
  ),
  'timestamp.type.invalid': error(
    `${pdf} §12.8.5`,
    'A document time-stamp is not of the type /DocTimeStamp.',
    existence,
  ),
  'timestamp.unchecked': warning(`${validation} §5.4`, 'A time-stamp is not checked.', existence),

  'container.data.count': error(`${asic} §4.3`, 'The number of data files is incorrect.'),
  'container.data.none': error(`${asic} §4.3.1`, 'The container has no data file.'),
  'container.data.place': error(`${asic} §4.3`, 'The data file of an ASiC-S is in a folder.'),
  'container.evidence-record': info(`${asic} §4.3, §4.4`, 'An evidence record is not checked.'),
  'container.file.changed': error(`${asic} §4.4.4.2`, 'A file of the manifest was changed.'),
  'container.file.letters': error(
    `${asic} §4.3, §4.4`,
    'A manifest or signature is in a subfolder of META-INF, or has a non-conforming name.',
  ),
  'container.file.missing': error(`${asic} §4.4.4.2`, 'A file of the manifest is missing.'),
  'container.file.none': error(`${asic} §4.4`, 'The signature covers no file of the container.'),
  'container.file.refused': error(
    `${asic} §4.4.4.2, Annex A.3`,
    'The manifest refers to a file in a forbidden or unsupported way.',
  ),
  'container.file.uncovered': warning(`${asic} §4.4`, 'The signature does not cover a file.'),
  'container.file.unknown': warning(
    `${asic} §4.4`,
    'A file of unknown type is not covered by a signature.',
  ),
  'container.manifest.ambiguous': error(
    `${asic} §4.4.4.2`,
    'Several manifests belong to the signature.',
  ),
  'container.manifest.missing': error(`${asic} §4.4`, 'No manifest belongs to the signature.'),
  'container.manifest.orphan': warning(
    `${asic} §4.4.4.2`,
    'The signature of a manifest is missing.',
  ),
  'container.manifest.unexpected': error(
    `${asic} §4.3`,
    'An ASiC-S has a manifest for signatures.',
  ),
  'container.mimetype': kind('error', 'info')(
    `${asic} Annex A.1`,
    'The mimetype is missing or different.',
  ),
  'container.mimetype.content': warning(
    `${asic} Annex A.1`,
    'The mimetype contains more than a media type.',
  ),
  'container.mimetype.form': warning(
    `${asic} Annex A.1`,
    'The mimetype is compressed or has an extra field.',
  ),
  'container.mimetype.place': warning(`${asic} Annex A.1`, 'The mimetype is not the first entry.'),
  'container.signature.count': warning(
    `${asic} §4.3`,
    'The number of signature files is incorrect.',
  ),
  'container.signature.name': warning(
    `${asic} §4.3`,
    'A signature file has a non-conforming name.',
  ),

  'baseline.archive': warning(
    `${xades} §6.3`,
    'An archive time-stamp of an older version.',
    acceptance,
  ),
  'baseline.cert': warning(`${pades} §6.3`, '/Cert must not be present.', acceptance),
  'baseline.certificates': warning(
    baselines,
    'The signing certificate is not embedded.',
    acceptance,
  ),
  'baseline.content-type': warning(
    `${pades} §6.3, ${cades} §6.3`,
    'The content type is not id-data.',
    acceptance,
  ),
  'baseline.data-object-format': warning(
    `${xades} §6.3`,
    'A DataObjectFormat is missing.',
    acceptance,
  ),
  'baseline.filter': warning(`${pades} §6.3`, '/Filter is missing.', acceptance),
  'baseline.m': warning(`${pades} §6.3`, '/M is missing or not a date.', acceptance),
  'baseline.mime-type': warning(`${xades} §6.3`, 'A MimeType is missing.', acceptance),
  'baseline.namespace': warning(`${xades} §6.3`, 'XAdES of an older version.', acceptance),
  'baseline.properties-type': warning(
    `${xades} §6.3`,
    'The reference to the signed properties lacks its Type.',
    acceptance,
  ),
  'baseline.signing-certificate': warning(
    baselines,
    'The attribute or property that binds the certificate is missing or unusual.',
    acceptance,
  ),
  'baseline.signing-time': warning(
    baselines,
    'The signing time is missing or in the wrong place.',
    acceptance,
  ),
  'baseline.sub-filter': warning(
    `${pades} §6.3`,
    'The /SubFilter is not /ETSI.CAdES.detached.',
    acceptance,
  ),
  'baseline.target': warning(
    `${xades} §4.3.1`,
    'The Target of the properties does not refer to the signature.',
    acceptance,
  ),
  'baseline.values': warning(
    baselines,
    'Validation data is in attributes or properties of an older format.',
    acceptance,
  ),
} as const satisfies Readonly<Record<string, FindingKind>>;
