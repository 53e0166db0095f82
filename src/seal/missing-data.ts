import { hexOf } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { type ErrorFinding, InnsigliError } from '../base/errors.ts';
import { type Certificate, describeName, maskName } from '../formats/x509/index.ts';
import type { PathResult } from '../trust/path.ts';
import type { RevocationRequest } from './ports.ts';

/** Maximum length of a name or address in a message. */
const SHOWN_MAX = 200;
/** Advice for a signature whose certificate expired before any time proven by a time-stamp. */
export const expiredHint =
  'it can no longer be proved that it was valid when it signed; to prove from now on that the ' +
  'document exists run innsigli archive FILE --timestamp-only';
const give = 'pass it with --validation-data FILE';

/**
 * The error for a certificate without a path to an anchor: which certificate is missing, its
 * address according to the last certificate of the path, and which option to use.
 */
export function missingPath(
  certificate: Certificate,
  result: PathResult & { readonly valid: false },
): InnsigliError {
  const last = result.path.at(-1) ?? certificate;
  const subject = shownSubject(last);
  const issuer = shownIssuer(last);
  const isRoot = Buffer.compare(last.subjectDer, last.issuerDer) === 0;
  const isGap = result.problem === 'NO_CERTIFICATE_CHAIN_FOUND';
  const addresses = last.extensions.caIssuerUrls.map(addressOf);
  const missing = !isGap ? 'valid path' : isRoot ? 'trust anchor' : 'issuer certificate';
  const details = { certificate: shownSubject(certificate), missing };
  const why = plainOf(result.message, [certificate, ...result.path]);
  const message = `no path for "${shownSubject(certificate)}": ${why}`;
  if (result.problem === 'OUT_OF_BOUNDS_NOT_REVOKED') {
    return new InnsigliError('certificate.expired', why, { details, hint: expiredHint });
  }
  if (!isGap) {
    const hint = 'pass a different root with --trust FILE; innsigli verify shows details';
    return new InnsigliError('certificate.untrusted', message, { details, hint });
  }
  if (isRoot) {
    const hint =
      `if you trust "${subject}", pass its certificate with --trust FILE: if the document has ` +
      'it, innsigli verify DOCUMENT --write-report report.xml writes it in Base64';
    return new InnsigliError('certificate.untrusted', message, { details, hint });
  }
  const place =
    addresses.length === 0
      ? 'ask the issuer for it'
      : `download it from ${addresses.find(isWeb) ?? addresses[0]}`;
  return new InnsigliError('certificate.untrusted', message, {
    details: { ...details, issuer, ...listed(addresses) },
    hint:
      `the certificate of "${issuer}" is missing: ${place} and ${give}, ` +
      'or pass its root with --trust FILE',
    // The addresses in an untrusted certificate may belong to anyone.
    findings: addresses.map((address) => ({
      name: `issuer ${address}`,
      message: 'not contacted: only addresses in certificates of a trusted path are used',
    })),
  });
}

/** A certificate without usable revocation data, and the outcome of the search for it. */
export interface MissingRevocation {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** Reason why the available data cannot be used. */
  readonly why: string;
  readonly asked: readonly RevocationRequest[];
  /** The network error, if there was one. */
  readonly cause?: InnsigliError;
}

/**
 * The error for a certificate without usable revocation data: the certificate, its addresses, the
 * outcome of each request, and which option to use.
 */
export function missingRevocation(missing: MissingRevocation): InnsigliError {
  const { certificate, issuer, asked, cause } = missing;
  const why = plainOf(missing.why, [certificate, issuer]);
  const { ocspUrls, crlUrls } = certificate.extensions;
  const subject = shownSubject(certificate);
  const authority = shownSubject(issuer);
  const addresses = [...ocspUrls, ...crlUrls].map(addressOf);
  const findings = asked.map(({ name, message }): ErrorFinding => {
    return { name, message: message ?? `it responded: ${why}` };
  });
  const wanted =
    crlUrls.length > 0 || ocspUrls.length === 0 ? `a CRL of "${authority}"` : 'an OCSP response';
  const source =
    addresses.length === 0
      ? 'it has no OCSP or CRL address'
      : why.replace(/^no usable revocation data: /, '');
  const message = `no usable OCSP response or CRL for "${subject}": ${source}`;
  const lists = crlUrls.map(addressOf).sort((a, b) => Number(isWeb(b)) - Number(isWeb(a)));
  return new InnsigliError(cause?.code ?? 'revocation.missing', message, {
    details: {
      certificate: subject,
      serialNumber: hexOf(certificate.serialNumber),
      missing: 'revocation data',
      issuer: authority,
      ...listed(addresses),
    },
    hint: hintOf(wanted, missing, lists),
    findings,
    ...defined({ cause }),
  });
}

function hintOf(
  wanted: string,
  { cause, asked }: MissingRevocation,
  [crl]: readonly string[],
): string {
  const place = crl === undefined ? '' : ` from ${crl}`;
  const byHand = `get ${wanted}${place} and ${give}`;
  if (cause?.code === 'network.offline') return `run without --offline, or ${byHand}`;
  if (cause?.code === 'network.blocked')
    return `${cause.hint ?? ''}; or ${byHand}`.replace(/^; or /, '');
  if (asked.length === 0) return byHand;
  return `retry when the issuer responds correctly, or ${byHand}`;
}

/** Addresses of the revocation data of a certificate: `OCSP http://…`, `CRL http://…`. */
export function addressesOf({ extensions }: Certificate): readonly string[] {
  const ocsp = extensions.ocspUrls.map((url) => `OCSP ${addressOf(url)}`);
  const crls = extensions.crlUrls.filter(isWeb).map((url) => `CRL ${addressOf(url)}`);
  return [...ocsp, ...crls];
}

function listed(addresses: readonly string[]): { readonly addresses?: string } {
  return addresses.length === 0 ? {} : { addresses: addresses.slice(0, 8).join(' ') };
}

/**
 * Name of the subject for a message. Personal numbers are masked, but the name of an authority is
 * complete, because it may contain a company number and is needed to find the authority.
 */
export function plainSubject(certificate: Certificate): string {
  const name = describeName(certificate.subjectDer);
  return isAuthority(certificate) ? name : maskName(name);
}

function isAuthority({ extensions }: Certificate): boolean {
  return extensions.basicConstraints?.ca === true;
}

function shownSubject(certificate: Certificate): string {
  return shownName(plainSubject(certificate));
}

/** An issuer is an authority, unless it is the subject itself. */
function shownIssuer(certificate: Certificate): string {
  const isOwn = Buffer.compare(certificate.subjectDer, certificate.issuerDer) === 0;
  return isOwn ? shownSubject(certificate) : shownName(describeName(certificate.issuerDer));
}

/** The common name, or the whole name if it has none or all of it is masked. */
function shownName(whole: string): string {
  const [, common] = /(?:^|,)CN=((?:\\.|[^,+\\])+)/.exec(whole) ?? [];
  const name = common !== undefined && /[\p{L}\p{Nd}]/u.test(common) ? common : whole;
  return name.slice(0, SHOWN_MAX);
}

/** Masks personal numbers in a message that contains names of these certificates. */
function plainOf(message: string, certificates: readonly Certificate[]): string {
  return certificates
    .filter((each) => !isAuthority(each))
    .map(({ subjectDer }) => describeName(subjectDer))
    .reduce((text, name) => text.replaceAll(name, () => maskName(name)), message);
}

/** Whether the address can be opened with a browser; directories (LDAP) need a special program. */
function isWeb(address: string): boolean {
  return /^https?:/i.test(address);
}

/** An address of a certificate in printable form, shortened and without credentials. */
function addressOf(text: string): string {
  const visible = text.replace(/[^\x21-\x7e]/g, '?').slice(0, SHOWN_MAX);
  return visible.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1…@');
}
