import { defined } from '../base/defined.ts';
import { attempt } from '../base/errors.ts';
import { getOrCompute } from '../base/memo.ts';
import { oids } from '../formats/asn1/index.ts';
import {
  type Certificate,
  describeName,
  parseName,
  parseQcStatements,
  serialHex,
} from '../formats/x509/index.ts';
import type { SignerSummary } from './report/index.ts';

const summaries = new WeakMap<Certificate, SignerSummary>();

/** Summary of a certificate for a report, computed once per certificate object. */
export function describeSigner(certificate: Certificate): SignerSummary {
  return getOrCompute(summaries, certificate, summarize);
}

function summarize(certificate: Certificate): SignerSummary {
  return {
    subject: describeName(certificate.subjectDer),
    issuer: describeName(certificate.issuerDer),
    serialNumber: serialHex(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
    ...defined({ holder: holderOf(certificate) }),
  };
}

const PSEUDONYM = '2.5.4.65';
const ofPersons = new Set<string>([oids.givenName, oids.surname, PSEUDONYM]);

/** Names of people and companies are shorter: a longer one is not parsed. */
const NAME_MAX_BYTES = 64 * 1024;

/** Determined by the QcType, or else by the attributes that the profiles require in the subject. */
function holderOf(certificate: Certificate): SignerSummary['holder'] {
  const purposes = new Set(attempt(() => parseQcStatements(certificate).purposes) ?? []);
  if (purposes.has('esig') !== purposes.has('eseal')) {
    return purposes.has('esig') ? 'natural-person' : 'legal-person';
  }
  const { subjectDer } = certificate;
  if (subjectDer.length > NAME_MAX_BYTES) return undefined;
  const rdns = attempt(() => parseName(subjectDer)) ?? [];
  const types = new Set(rdns.flatMap((rdn) => rdn.map(({ type }) => type)));
  if ([...types].some((type) => ofPersons.has(type))) return 'natural-person';
  return types.has(oids.organizationIdentifier) ? 'legal-person' : undefined;
}
