import type { Difference } from './compare.ts';

/** A kind of difference in which a clause supports our conclusion. */
interface Clause {
  readonly what: string;
  readonly clause: string;
  applies(difference: Difference): boolean;
}

const ours = (text: string) => (each: Difference) =>
  each.detail.slice(each.detail.indexOf(' | ')).includes(text);
const theirs = (text: string) => (each: Difference) =>
  each.detail.slice(0, each.detail.indexOf(' | ')).includes(text);
const all = (...conditions: readonly ((each: Difference) => boolean)[]) => {
  return (each: Difference) => conditions.every((holds) => holds(each));
};
const not = (condition: (each: Difference) => boolean) => (each: Difference) => !condition(each);
const about = (what: Difference['what']) => (each: Difference) => each.what === what;

/** The remaining differences on the corpora, each kind with the clause that supports us. */
const clauses: readonly Clause[] = [
  {
    what: 'signed attributes that are not in DER: the value matches them as encoded',
    clause: 'RFC 5652 §5.4: it covers their DER; the match refutes nothing',
    applies: ours('signature.attributes.not-der'),
  },
  {
    what: 'a digest algorithm identified by a signature algorithm',
    clause: 'RFC 5652 §5.4: the covered data has the signed digest; OpenSSL verifies it',
    applies: ours('signature.digest.named'),
  },
  {
    what: 'an unsupported algorithm',
    clause:
      'EN 319 102-1 §5.2.7.3: a value that was not computed is neither HASH_ nor SIG_CRYPTO_FAILURE',
    applies: ours('signature.algorithm.unsupported'),
  },
  {
    what: '/ByteRange does not end at the end of a revision',
    clause: 'ISO 32000-2 §12.8.1: the range is the entire file; pyHanko rejects it as well',
    applies: ours('signature.origin.uncovered'),
  },
  {
    what: 'EdDSA, which the policy of the reference validator does not have',
    clause: 'ETSI TS 119 312 v2.1.1 §6.2.1 table 2: R, note 1: independent of the ECCG',
    applies: theirs('The algorithm EdDSA'),
  },
  {
    what: 'Ed448 with SHAKE256 identified without its length, for which the reference validator has no digest',
    clause:
      'RFC 8419 §3.1: 64 bytes of SHAKE256, which pyHanko computes; it is rejected for its identifier',
    applies: all(theirs('SIG_CRYPTO_FAILURE'), ({ file }) => /\/ed448-shake256/.test(file)),
  },
  {
    what: 'a weak OCSP response by a responder that the issuer has not authorised',
    clause: 'RFC 6960 §4.2.2.2: such a response is rejected, so no status is available',
    applies: all(about('sub-indication'), theirs('for revocation data'), not(ours(' is stale: '))),
  },
  {
    what: 'an OCSP response by a responder that the issuer has not authorised',
    clause: 'RFC 6960 §4.2.2.2: such a response is rejected',
    applies: (each) =>
      ours('the OCSP responder is not authorised by the issuer')(each) ||
      (about('level')(each) && /\/xades-lta-valid\.xml$/.test(each.file)),
  },
  {
    what: 'an issuer name in a different string type',
    clause: 'RFC 5280 §7.1: the names match, and the signature is by the key of the anchor',
    applies: all(theirs('BBB_XCV_'), (each) => /\/dss1987\//.test(each.file)),
  },
  {
    what: 'two certificates of one issuer in the file, with the same name and key',
    clause:
      'EN 319 102-1 §5.2.6.4 step 2: NO_CERTIFICATE_CHAIN_FOUND only if no chain can be built',
    applies: all(
      theirs('BBB_XCV_CCCBB_SIG_ANS'),
      not((each) => each.ours === 'NO_CERTIFICATE_CHAIN_FOUND'),
      (each) => each.what !== 'level',
    ),
  },
  {
    what: 'an OCSP response or CRL that has expired by the time of validation',
    clause: 'RFC 5280 §6.3.3, RFC 6960 §3.2 (5); EN 319 102-1 §5.2.6.4 step 4 a',
    applies: all((each) => / is stale: |TRY_LATER baseline/.test(each.detail), not(about('level'))),
  },
  {
    what: 'no status for one certificate, and an outdated one for another',
    clause: 'EN 319 102-1 §5.2.6.4: step 4 precedes step 8',
    applies: all(theirs('REVOCATION_OUT_OF_BOUNDS_NO_POE'), ours('no revocation data covers')),
  },
  {
    what: 'the certificate is in KeyInfo, and data is missing, changed or unusual',
    clause: 'EN 319 102-1 §5.2.7.4 steps 1 to 4: the first finding decides',
    applies: theirs('NO_SIGNING_CERTIFICATE_FOUND'),
  },
  {
    what: 'a transform that is not performed, or an XPath expression beyond the limits',
    clause: 'EN 319 102-1 §5.2.7.4 step 1: data is unavailable; nothing is refuted',
    applies: ours('signature.reference.refused'),
  },
  {
    what: 'weak algorithms, and properties that an AdES signature must have',
    clause: 'EN 319 102-1 §5.2.8.4.1: unreliable algorithms precede other constraints',
    applies: (each) =>
      each.ours === 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' &&
      each.theirs === 'SIG_CONSTRAINTS_FAILURE',
  },
  {
    what: 'XAdES before version 1.3.2, whose references have a different format',
    clause: 'EN 319 132-1 §6.3: no baseline level; EN 319 102-1 §5.2.6.4 step 2 a: no chain',
    applies: ours('baseline.namespace'),
  },
  {
    what: 'a value that is not base64, a reference without a digest',
    clause: 'EN 319 102-1 §5.2.2; XML-Signature 1.1 §4.2, §4.4.3: the format is checked first',
    applies: ours('signature.xml.invalid'),
  },
  {
    what: 'a time-stamp that does not cover this signature',
    clause: 'RFC 3161 §2.4.2: the imprint differs, so it contributes to no level',
    applies: all(about('level'), ours('tsa.imprint.mismatch')),
  },
  {
    what: 'an archive time-stamp whose hash index is missing or not an ATSHashIndexV3',
    clause: 'EN 319 122-1 §5.5.2, §5.5.3: the imprint is computed with one',
    applies: all(about('level'), (each) => /ats-hash-index|algorithm\.weak/.test(each.detail)),
  },
];

/** Returns the clause that supports us in a difference. Undefined if none is known. */
export function findDifferenceClause(difference: Difference): string | undefined {
  const found = clauses.find(({ applies }) => applies(difference));
  return found && `${found.what} (${found.clause})`;
}
