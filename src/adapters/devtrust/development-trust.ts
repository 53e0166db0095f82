import { createPrivateKey, type KeyObject } from 'node:crypto';
import { equalBytes, hexOf } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { getOrCompute, once } from '../../base/memo.ts';
import { type Certificate, ocspCertificateId, parseCertificate } from '../../formats/x509/index.ts';
import type { RandomSource, RevocationData, RevocationSource } from '../../seal/ports.ts';
import type { PersonRequest } from './issue.ts';
import { isPersonNumber, newPersonNumber } from './person-number.ts';
import { type MemberName, memberNames } from './plan.ts';
import {
  answerOcspRequest,
  type KeyHolder,
  type OcspResponder,
  signCrl,
  signOcspResponse,
} from './status.ts';
import { damaged, inspectStore, readChain, readKey, writeStore } from './store.ts';

/** Options for opening the development trust. */
export interface DevelopmentTrustOptions {
  /** The data directory; the PKI is stored in its folder `trust`. */
  readonly directory: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
  /**
   * Base URL of OCSP, CRLs and issuer certificates in newly issued certificates: `BASE/ocsp`,
   * `BASE/crl/NAME.crl`, `BASE/issuer/NAME.cer`. Default: http://127.0.0.1:8318.
   */
  readonly baseUrl?: string;
}

/** A key of the development PKI with its certificate. */
export interface DevelopmentKey {
  /** DER. */
  readonly certificate: Uint8Array;
  /** Issuer certificates, nearest first, including the root; DER. */
  readonly chain: readonly Uint8Array[];
  readonly privateKey: KeyObject;
}

/** A PKI for testing: its signatures prove nothing about anyone. */
export interface DevelopmentTrust {
  /** The trust anchor, DER. */
  readonly rootCertificate: Uint8Array;
  /** All certificates, DER, issuers first. */
  readonly certificates: readonly Uint8Array[];
  /** The key of the seal. @throws config.datadir.unusable if its files are damaged */
  seal(kind: 'rsa' | 'ec'): DevelopmentKey;
  /** The key of the time-stamping unit. @throws config.datadir.unusable if its files are damaged */
  tsa(): DevelopmentKey;
  /**
   * Creates a key with a certificate for one person. Neither is stored. Revocation status is
   * available all the same, because the serial number shows that the certificate was issued here.
   */
  person(request: PersonRequest): Promise<DevelopmentKey>;
  /** OCSP responses and CRLs for certificates of this PKI only, signed on demand. */
  revocationSource(): RevocationSource;
  /** Answers an external OCSPRequest with an OCSPResponse, DER. */
  ocspAnswer(request: Uint8Array): Promise<Uint8Array>;
  /** The CRL of an issuer, DER; undefined if there is no such issuer. */
  crl(name: string): Uint8Array | undefined;
  /** The certificate of an issuer, DER; undefined if there is no such issuer. */
  issuer(name: string): Uint8Array | undefined;
}

/** Default base URL of the HTTP interface. */
const defaultTrustUrl = 'http://127.0.0.1:8318';
/** OCSP responses and CRLs are signed again after this time, so that none in use is older. */
const ANSWER_REUSE_MS = 5 * 60_000;

/**
 * Whether this data directory contains a development trust.
 *
 * @throws config.datadir.unusable if parts of it are missing
 */
export async function hasDevelopmentTrust(directory: string): Promise<boolean> {
  return inspectStore(directory) === 'complete';
}

/**
 * Opens the development trust of a data directory. If none exists, it is created, which takes about
 * 0.2 s. Opening an existing one reads no key and no certificate until it is needed.
 *
 * @throws config.datadir.unusable
 */
export async function openDevelopmentTrust(
  options: DevelopmentTrustOptions,
): Promise<DevelopmentTrust> {
  const { directory, now, random } = options;
  if (inspectStore(directory) === 'absent') {
    const [{ issueMembers }, { readTrustPlan }] = await Promise.all([
      import('./issue.ts'),
      import('./plan.ts'),
    ]);
    const baseUrl = baseUrlOf(options);
    const nowMs = now();
    const members = await issueMembers(readTrustPlan(), { nowMs, random, baseUrl });
    await writeStore(directory, members, nowMs);
  }
  return createTrust(options);
}

function baseUrlOf({ baseUrl = defaultTrustUrl }: DevelopmentTrustOptions): string {
  return baseUrl.replace(/\/+$/, '');
}

/** Memoises `read` by member. */
function memoisedByName<T>(read: (name: MemberName) => T): (name: MemberName) => T {
  const known = new Map<MemberName, T>();
  return (name) => getOrCompute(known, name, read);
}

/** Reads and parses each file at most once. */
function createMembers(directory: string) {
  const chain = memoisedByName((name) => readChain(directory, name));
  const der = (name: MemberName) => chain(name)[0] as Uint8Array;
  const key = memoisedByName((name) => {
    try {
      const bytes = Buffer.from(readKey(directory, name));
      return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    } catch (error) {
      throw isInnsigliError(error) ? error : damaged(directory, `${name}.key`, error);
    }
  });
  const certificate = memoisedByName((name) => {
    try {
      return parseCertificate(der(name));
    } catch (error) {
      throw damaged(directory, `${name}.pem`, error);
    }
  });
  const holder = (name: MemberName): KeyHolder => ({
    certificate: certificate(name),
    get privateKey() {
      return key(name);
    },
  });
  return { chain, der, key, certificate, holder };
}

function createTrust(options: DevelopmentTrustOptions): DevelopmentTrust {
  const { directory, now } = options;
  const members = createMembers(directory);
  const keyOf = (name: MemberName): DevelopmentKey => ({
    certificate: members.der(name),
    chain: members.chain(name).slice(1),
    get privateKey() {
      return members.key(name);
    },
  });
  const answers = createResponseCache(now);
  const ends = memberNames.filter((name) => name !== 'root' && name !== 'ca');
  const openDesk = once(
    (): OcspResponder => ({
      responder: members.holder('ocsp'),
      issuer: members.certificate('ca'),
      isKnown: (serialNumber) =>
        isPersonNumber(serialNumber, members.key('ca')) ||
        ends.some((name) => equalBytes(members.certificate(name).serialNumber, serialNumber)),
    }),
  );
  const crl = (name: 'root' | 'ca') =>
    answers.get(`crl ${name}`, () => signCrl(members.holder(name), now()));

  const find = (certificate: Certificate, issuer: Certificate): RevocationData => {
    const root = members.certificate('root');
    const ca = members.certificate('ca');
    if (equalBytes(issuer.der, root.der) && equalBytes(certificate.der, ca.der)) {
      return { ocsp: [], crls: [crl('root')] };
    }
    if (!equalBytes(issuer.der, ca.der) || !openDesk().isKnown(certificate.serialNumber)) {
      return { ocsp: [], crls: [] };
    }
    // Validators use only the sources that a certificate announces: pyHanko ignores OCSP responses
    // for a certificate without an OCSP URL.
    if (certificate.extensions.ocspUrls.length === 0) return { ocsp: [], crls: [crl('ca')] };
    const answer = answers.get(`ocsp ${hexOf(certificate.serialNumber)}`, () =>
      signOcspResponse(openDesk(), [ocspCertificateId(certificate, issuer)], now()),
    );
    return { ocsp: [answer], crls: [] };
  };

  return {
    get rootCertificate() {
      return members.der('root');
    },
    get certificates() {
      return memberNames.map(members.der);
    },
    seal: (kind) => keyOf(kind === 'rsa' ? 'seal-rsa' : 'seal-ec'),
    tsa: () => keyOf('tsa'),
    person: (request) => certify(request, members, options),
    revocationSource: () => ({
      find: async (certificate, issuer) => find(certificate, issuer),
      makesItself: (certificate, issuer) => {
        const { ocsp, crls } = find(certificate, issuer);
        return ocsp.length + crls.length > 0;
      },
    }),
    ocspAnswer: async (request) => answerOcspRequest(openDesk(), request, now()),
    crl: (name) => (name === 'root' || name === 'ca' ? crl(name) : undefined),
    issuer: (name) => (name === 'root' || name === 'ca' ? members.der(name) : undefined),
  };
}

async function certify(
  request: PersonRequest,
  members: ReturnType<typeof createMembers>,
  options: DevelopmentTrustOptions,
): Promise<DevelopmentKey> {
  const [{ issuePerson }, { readTrustPlan }] = await Promise.all([
    import('./issue.ts'),
    import('./plan.ts'),
  ]);
  const issued = await issuePerson(request, {
    issuer: members.holder('ca'),
    organizationName: readTrustPlan().organizationName,
    certificateNumber: newPersonNumber(options.random, members.key('ca')),
    nowMs: options.now(),
    baseUrl: baseUrlOf(options),
  });
  return { ...issued, chain: members.chain('ca') };
}

/** Cache of signed OCSP responses and CRLs, each of which is reused for a few minutes. */
function createResponseCache(now: () => number) {
  const answers = new Map<string, { readonly madeAtMs: number; readonly der: Uint8Array }>();
  return {
    get(about: string, make: () => Uint8Array): Uint8Array {
      const known = answers.get(about);
      const nowMs = now();
      const ageMs = known === undefined ? Number.NaN : nowMs - known.madeAtMs;
      if (known !== undefined && ageMs >= 0 && ageMs < ANSWER_REUSE_MS) return known.der;
      const der = make();
      answers.set(about, { madeAtMs: nowMs, der });
      return der;
    },
  };
}
