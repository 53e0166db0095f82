import type { Difference } from '../agreement/compare.ts';

/**
 * A kind of difference in which a clause supports our conclusion. The texts of ETSI and ISO were
 * not available: those of EN 319 102-1 V1.4.1 and EN 319 162-1 were compared with citations in
 * public validators and their tests. Entries that could not be compared with anything state so.
 */
export interface Clause {
  readonly what: string;
  readonly clause: string;
  applies(difference: Difference): boolean;
}

const ours = (code: string) => (each: Difference) =>
  each.detail.slice(each.detail.indexOf(' | ')).includes(code);
const theirs = (key: string) => (each: Difference) =>
  each.detail.slice(0, each.detail.indexOf(' | ')).includes(key);
const altered = (name: RegExp) => (each: Difference) => name.test(each.file);
const all = (...conditions: readonly ((each: Difference) => boolean)[]) => {
  return (each: Difference) => conditions.every((holds) => holds(each));
};

/** The remaining differences, each with the clause that supports us. */
export const clauses: readonly Clause[] = [
  {
    what: 'a damaged issuer certificate, and an intact copy elsewhere (in a time-stamp token, a DSS)',
    clause:
      'EN 319 102-1 §5.2.6.4 step 2: NO_CERTIFICATE_CHAIN_FOUND only if no chain can be built',
    // The second alternative: for the issuer of revocation data.
    applies: (each) =>
      altered(/~.*(flip|ertificate)/)(each) &&
      (theirs('NO_CERTIFICATE_CHAIN_FOUND')(each) || theirs('BBB_XCV_CCCBB_REV_ANS')(each)),
  },
  {
    what: 'a malformed certificate in the CMS that is not needed',
    clause: 'EN 319 102-1 §5.2.6.4 step 2: the path is built without it',
    applies: all(theirs('BBB_ICS_ISCI_ANS'), altered(/~(?:certificate-)?flip/)),
  },
  {
    what: 'EdDSA, which the policy of the reference validator does not have',
    clause: 'ETSI TS 119 312 v2.1.1: recommended, docs/adr/0044',
    applies: theirs('The algorithm EdDSA'),
  },
  {
    what: 'a CA certificate without key usage',
    clause: 'RFC 5280 §6.1.4 (n): keyCertSign is required if the extension is present',
    applies: theirs('BBB_XCV_ISCGKU_ANS'),
  },
  {
    what: 'a CA certificate without a subject key identifier',
    clause: 'RFC 5280 §6.1 does not require it; §4.2.1.2 is a rule for issuers',
    applies: theirs('BBB_XCV_ISKIP_ANS'),
  },
  {
    what: 'an issuer name with different case, spaces or string type',
    clause: 'RFC 5280 §7.1, RFC 4518 §2: names are compared after string preparation',
    applies: theirs('BBB_XCV_DCIDNMSDNIC_ANS'),
  },
  {
    what: 'the name of a root in different case in the certificate that it issued',
    clause: 'RFC 5280 §7.1, RFC 4518 §2: names are compared after string preparation',
    applies: all(theirs('NO_CERTIFICATE_CHAIN_FOUND'), altered(/chain-names-its-root/)),
  },
  {
    what: 'a self-issued certificate below a path length of 0',
    clause: 'RFC 5280 §6.1.4 (l): it does not count; PKITS 4.6.15',
    applies: all(theirs('BBB_XCV_ICPDV_ANS'), altered(/self-issued/)),
  },
  {
    what: 'an untrusted root, and a certificate for the same key issued by a trusted one',
    clause:
      'EN 319 102-1 §5.2.6.4 step 2: NO_CERTIFICATE_CHAIN_FOUND only if no chain can be built',
    applies: (each) =>
      altered(/chain-crosses/)(each) &&
      (theirs('NO_CERTIFICATE_CHAIN_FOUND')(each) || theirs('BBB_XCV_CCCBB_REV_ANS')(each)),
  },
  {
    what: 'two certificates with the serial number of the signer, one of them bound by its digest',
    clause: 'RFC 5035 §5.4: the digest identifies the certificate of the signer',
    applies: all(theirs('BBB_ICS_ICDVV_ANS'), altered(/chain-has-a-twin/)),
  },
  {
    what: 'a root whose own extensions forbid issuing, or constrain names',
    clause: "RFC 5280 §6.2, RFC 5937 §3.2: constraints in an anchor's certificate may be enforced",
    applies: all(ours('certificate.untrusted'), altered(/chain-has-a-root/)),
  },
  {
    what: 'the first certificate that the attribute binds is not that of the signer',
    clause: 'RFC 5035 §5.4.1: the first one is used to verify the signature',
    applies: all(
      ours('NO_SIGNING_CERTIFICATE_FOUND'),
      altered(/binds-(?:another|itself-second)|two-values-of-signing-certificate/),
    ),
  },
  {
    what: 'a certificate that is not for signing documents',
    clause: 'RFC 5280 §4.2.1.3, §4.2.1.12: a key may be used only for its purposes',
    applies: ours('key.usage.forbidden'),
  },
  {
    what: 'a signing time that is not an xs:dateTime',
    clause: 'EN 319 132-1 §5.2.1 (clause not read); XML Schema 2 §3.2.7',
    applies: all(ours('signature.time.missing'), altered(/claims-a-day/)),
  },
  {
    what: 'an unbound signing certificate, or no signed attributes',
    clause: 'EN 319 122-1 §5.2.2, §5.1.1 (clauses not read); EN 319 102-1 §5.2.8',
    applies: (each) =>
      ours('signature.certificate.unbound')(each) ||
      ours('baseline.signing-certificate')(each) ||
      ours('signature.attributes.missing')(each),
  },
  {
    what: 'bytes appended to the signature or the archive, or removed from its end',
    clause: 'X.690 §8.1; APPNOTE 6.3.10 §4.3.16, docs/adr/0013',
    applies: altered(/~(tail|cut)-/),
  },
  {
    what: 'an unsupported transform or digest',
    clause: 'EN 319 102-1 §5.2.7.4 step 1: data is unavailable; nothing is refuted',
    applies: ours('signature.reference.refused'),
  },
  {
    what: 'unavailable data, and also changed data',
    clause: 'EN 319 102-1 §5.2.7.4: step 1, availability, precedes step 2, the digests',
    applies: all(ours('SIGNED_DATA_NOT_FOUND'), theirs('HASH_FAILURE')),
  },
  {
    what: 'an ASiC-E with XAdES without manifest.xml, an ASiC-S with two files',
    clause:
      'EN 319 162-1 §4.3.3.2 item 2 (one data file), §4.4.3.2 (clause not read): the signature ' +
      'itself is not refuted',
    applies: (each) =>
      ours('container.manifest.missing')(each) ||
      ours('container.data.count')(each) ||
      all(ours('container.file.none'), altered(/~file-added/))(each),
  },
  {
    what: 'a manifest of a signature that lists signature files, manifests or mimetype',
    clause: 'EN 319 162-1 annex A.4 (clause not read): it lists data files; nothing is refuted',
    applies: ours('container.file.refused'),
  },
  {
    what: 'an absolute-path URI of a file in a container',
    clause: 'RFC 3986 §5.2.2: a path starting with a slash is relative to the root',
    applies: all(theirs('BBB_CV_IMEOF_ANS'), altered(/uri-slash/)),
  },
  {
    what: 'an unsupported signature algorithm',
    clause: 'EN 319 102-1 §5.1.3 (clause not read), table 6: not refuted',
    applies: ours('signature.algorithm.unsupported'),
  },
  {
    what: 'an element of the signature that the schema does not allow',
    clause: 'EN 319 102-1 §5.2.2; XML-Signature 1.1 §4; EN 319 132-1 annex C (clause not read)',
    applies: (each) =>
      ours('signature.xml.invalid')(each) || ours('signature.properties.invalid')(each),
  },
  {
    what: 'the certificate is in KeyInfo, and the signed data has changed',
    clause:
      'EN 319 102-1 §5.2.3.4, §5.2.7.4 steps 2, 4: a digest or value that does not match fails',
    applies: (each) => {
      const isFailed = each.ours === 'TOTAL-FAILED';
      return isFailed && theirs('NO_SIGNING_CERTIFICATE_FOUND')(each);
    },
  },
  {
    what: 'a signature only over its own properties, with a value that does not match',
    clause: 'EN 319 102-1 §5.2.7.4 step 4: a value that does not match fails',
    applies: all(ours('signature.value.invalid'), theirs('SIGNED_DATA_NOT_FOUND')),
  },
  {
    what: 'an update changed the document',
    clause: 'ISO 32000-2 §12.8.2.2.2; docs/adr/0039',
    applies: ours('document.changed'),
  },
  {
    what: 'mimetype of another format, a file with another name',
    clause: 'EN 319 162-1 annex A.1; §4.3.3.1, §4.4.3.2 (clauses not read)',
    applies: (each) => ours('container.mimetype')(each) || altered(/~file-renamed/)(each),
  },
  {
    what: 'an unsupported SubFilter, two signers in a PDF',
    clause:
      'ISO 32000-2 §12.8.1; EN 319 142-1 §4.1 (clause not read): unchecked signatures are not refuted',
    applies: (each) =>
      ours('signature.format.unsupported')(each) || ours('signature.cms.signers')(each),
  },
  {
    what: 'an attribute that is signed, unsigned, or not single-valued contrary to its definition',
    clause: 'RFC 5652 §11, RFC 6211 §2, RFC 5035 §2, §3; OpenSSL rejects it as well',
    applies: ours('signature.attributes.invalid'),
  },
  {
    what: 'content and signed attributes digested with different algorithms',
    clause: 'RFC 8933 §3.1, RFC 4056 §3; OpenSSL and pyHanko reject it as well',
    applies: ours('signature.digest.disallowed'),
  },
  {
    what: 'content that is not an OCTET STRING, digestAlgorithms without that of the signer',
    clause: 'RFC 5652 §5.1, §5.2',
    applies: (each) =>
      ours('signature.digest.unlisted')(each) ||
      (altered(/~flip-\d\.p7m/)(each) && ours('signature.digest.mismatch')(each)),
  },
  {
    what: 'a malformed central directory',
    clause: 'APPNOTE 6.3.10 §4.3.12; unzip and Python reject it too',
    applies: all(ours('container.invalid'), altered(/~flip-\d\.asic/)),
  },
  {
    what: 'a valid signer and one whose digest is not listed, over detached content',
    clause:
      'RFC 5652 §5: each SignerInfo is verified separately; OpenSSL rejects only the other one',
    applies: all(altered(/detached.*~signer-added/), theirs('BBB_CV_ISI_ANS')),
  },
  {
    what: 'a different signature algorithm for a value without signed attributes',
    clause: 'RFC 3370 §3.2 (clause not read): the digest of the algorithm is that of the value',
    applies: altered(/noattr.*~signature-algorithm/),
  },
  {
    what: 'a hold that a delta CRL lifts',
    clause: 'RFC 5280 §5.2.4, §6.3.3 (c), (i); PKITS 4.15.5',
    applies: all(theirs('BBB_XCV_ISCOH_ANS'), altered(/status-.*delta/)),
  },
  {
    what: 'revoked by one statement, and good by another of the same time or later',
    clause:
      'RFC 5280 §3.3, §5.3.1: a revocation other than a hold is permanent; the worse one counts',
    applies: all(ours('certificate.revoked'), altered(/status-.*good/)),
  },
  {
    what: 'an OCSP response by a responder that is revoked, or that the issuer did not certify',
    clause: 'RFC 6960 §4.2.2.2, §4.2.2.2.1',
    applies: all(ours('revocation.unknown'), altered(/status-(?:delegated|by-a-responder)/)),
  },
  {
    what: 'an OCSP response or CRL that has expired, or is from the future',
    clause: 'EN 319 102-1 §5.2.5 (clause not read); RFC 6960 §3.2 (5), RFC 5280 §6.3.3',
    applies: (each) =>
      !each.isTooKind && altered(/status-(?:stale|OCSP-|CRL-of-tomorrow)|CRL-of-before/)(each),
  },
  {
    what: 'a CRL with an unsupported critical entry extension',
    clause: 'RFC 5280 §5.3: the CRL must not be used to determine the status',
    applies: all(ours('revocation.unknown'), altered(/status-CRL-with-a-critical/)),
  },
  {
    what: 'a CRL with a scope: users, reasons, a distribution point, an indirect one',
    clause: 'RFC 5280 §5.2.5, §5.3.3, §6.3.3 (b), (e), (f), (l); PKITS 4.14',
    applies: (each) =>
      (each.isTooKind
        ? altered(
            /status-(?:CRL-for-(?:users|some-reasons-and)|indirect-CRL(?:-with-the-serial|\.))/,
          )
        : altered(/status-(?:CRL-(?:for|of-another)|indirect-CRL-that-revokes)/))(each),
  },
  {
    what: 'a certificate that is not yet valid at the time of validation',
    clause: 'EN 319 102-1 §5.5.4 (clause not read): that time was chosen, and proves no existence',
    applies: all(ours('NOT_YET_VALID'), altered(/status-not-yet-valid/)),
  },
  {
    what: 'a countersignature over other data',
    clause: 'docs/adr/0041: it is undecided, and the countersigned signature is unaffected',
    applies: ours('signature.countersigned.other'),
  },
  {
    what: 'a filter that subtracts the signature containing here()',
    clause: 'XML-Signature XPath Filter 2.0 §3.2, §4: xmlsec1 computes the same digest',
    applies: altered(/subtracts-itself/),
  },
  {
    what: 'a time-stamp by an authority that was not yet certified',
    clause: 'RFC 5280 §6.1.3 (a) (2): the path is valid at the time in question',
    applies: all(ours('tsa.certificate.expired'), altered(/by-an-authority-of-later/)),
  },
  {
    what: 'the attribute that binds the certificate was changed, so it binds none',
    clause: 'EN 319 102-1 §5.2.3.4 precedes §5.2.7.4: without a certificate no value is verified',
    applies: all(ours('NO_SIGNING_CERTIFICATE_FOUND'), theirs('SIG_CRYPTO_FAILURE')),
  },
  {
    what: 'a signature or manifest in a folder of META-INF',
    clause: 'EN 319 162-1 §4.3.3.2, §4.4.3.2 (clauses not read): found, and left undecided',
    applies: ours('container.file.letters'),
  },
  {
    what: 'an ASiC-S whose signature file has another name',
    clause: 'EN 319 162-1 §4.3.3.2 (clause not read)',
    applies: ours('container.signature.name'),
  },
  {
    what: 'a reference to a file whose name has a different Unicode normalisation or encoding',
    clause:
      'RFC 3986 §6.2.1, §6.2.2: different bytes are a different name; a digest does not identify a file',
    applies: all(theirs('BBB_CV_DRNMND_ANS'), ours('signature.reference.missing')),
  },
  {
    what: 'an ASiC-S without mimetype, or with that of its data file',
    clause: 'EN 319 162-1 §4.3.3.1, annex A.1 (clauses not read): neither is required of an ASiC-S',
    applies: all(
      theirs('BBB_FC_IMFP_ASICE_ANS'),
      altered(/asic-s-.*(?:without-mimetype|with-the-mimetype-of-its-data)/),
    ),
  },
  {
    what: 'a signing time in UTCTime without seconds or without Z',
    clause: 'RFC 5652 §11.3: seconds are stated, and the time is in GMT (Zulu)',
    applies: all(ours('signature.time.missing'), altered(/states-a-time/)),
  },
  {
    what: 'a ContentInfo whose type is not that of SignedData',
    clause: 'RFC 5652 §3, §5.1',
    applies: all(ours('pdf.notpdf'), altered(/~flip-\d\.p7[ms]$/)),
  },
  {
    what: 'a certificate that is not in DER',
    clause: 'X.690 §11.1; RFC 5280 §4.1: a certificate is in DER; OpenSSL rejects it too',
    applies: (each) =>
      altered(/certificate-flip/)(each) &&
      (ours('signature.certificate.missing')(each) || ours('NO_CERTIFICATE_CHAIN_FOUND')(each)),
  },
  {
    what: 'a malformed dictionary or string',
    clause: 'ISO 32000-2 §7.3.4.3',
    applies: (each) =>
      all(ours('no such signature'), altered(/\.pdf$/))(each) || ours('pdf.syntax.invalid')(each),
  },
];

/** Returns the clause that supports us. Undefined if none is known. */
export function findClause(difference: Difference): Clause | undefined {
  return clauses.find(({ applies }) => applies(difference));
}
