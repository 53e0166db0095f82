import { equalBytes } from '../../base/bytes.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { type ServiceState, serviceTypes, statusPrefix } from '../../formats/tsl/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { type CertificatePool, findPath } from '../../trust/path.ts';
import type { IsListedResponder } from '../../trust/revocation/index.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import { type StatusAt, statusAt } from './certificate-status.ts';
import { listedResponders } from './listed-responders.ts';
import type {
  CertificateStatus,
  ListEvidence,
  QualificationReport,
  QualificationResult,
  ServiceSummary,
} from './qualification.types.ts';
import {
  indexServices,
  type ListedService,
  type ServiceIndex,
  type StateAt,
  statesAt,
} from './service-index.ts';

/** Determines the qualification of signatures and time-stamps from verified trusted lists. */
export interface Qualifier {
  /** Qualification of a signer's certificate, assuming a valid signature: see `settleReport`. */
  ofSigner(
    certificate: Certificate,
    bestTimeMs: number,
    pool: CertificatePool,
  ): QualificationReport;
  /** The qualification of a time-stamp token. Undefined if its authority is unknown. */
  ofTimestamp(verdict: TimestampVerdict, pool: CertificatePool): QualificationReport | undefined;
  /** Whether a list authorises an OCSP responder for the issuer at that time. */
  readonly isListedResponder: IsListedResponder;
}

/** Creates a qualifier from the lists. */
export function createQualifier(lists: readonly ListEvidence[]): Qualifier {
  const issuers = indexServices(lists, ({ type }) => type === serviceTypes.caQc);
  const authorities = indexServices(lists, ({ type }) => type === serviceTypes.qtst);
  return {
    ofSigner: (certificate, bestTimeMs, pool) =>
      qualifySigner(certificate, bestTimeMs, pool, issuers),
    ofTimestamp: (verdict, pool) => qualifyTimestamp(verdict, pool, authorities),
    isListedResponder: listedResponders(lists),
  };
}

/** Maximum number of listed authorities examined in one path. */
const LISTED_MAX = 8;

/**
 * The services of each listed authority above a certificate, nearest first: the service of an
 * authority and that of its root may contradict each other. Uses the first of the times at which
 * there are any.
 *
 * @spec ETSI TS 119 615 §4.3
 */
function servicesAbove(
  certificate: Certificate,
  timesMs: readonly number[],
  pool: CertificatePool,
  index: ServiceIndex,
): readonly (readonly ListedService[])[] {
  for (const atMs of timesMs) {
    const found: (readonly ListedService[])[] = [];
    let below: Certificate | undefined = certificate;
    let anchors = index.certificates;
    for (let level = 0; below !== undefined && level < LISTED_MAX; level++) {
      const { path } = findPath({ certificate: below, pool, anchors, atMs });
      const listed = path.slice(1).find((member) => index.find(member).length > 0);
      if (listed !== undefined) {
        found.push(index.find(listed));
        anchors = anchors.filter(({ spkiDer }) => !equalBytes(spkiDer, listed.spkiDer));
      }
      below = listed;
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** The services of an authority, or else of the first listed one above it. */
function servicesOf(
  certificate: Certificate,
  atMs: number,
  pool: CertificatePool,
  index: ServiceIndex,
): readonly ListedService[] {
  const { path } = findPath({ certificate, pool, anchors: index.certificates, atMs });
  return path.map((member) => index.find(member)).find(({ length }) => length > 0) ?? [];
}

function qualifySigner(
  certificate: Certificate,
  bestTimeMs: number,
  pool: CertificatePool,
  index: ServiceIndex,
): QualificationReport {
  const { notBeforeMs } = certificate;
  const services = servicesAbove(certificate, [bestTimeMs, notBeforeMs], pool, index);
  const issued = statusAt(certificate, services, notBeforeMs);
  const best = statusAt(certificate, services, bestTimeMs);
  const service = best.state ?? issued.state;
  return {
    result: resultOf(issued, best),
    reasons: [...new Set([`at issuance: ${issued.reason}`, `at signing: ${best.reason}`])],
    certificate: { atIssuance: issued.status, atBestTime: best.status },
    ...(service === undefined ? {} : { service: summarize(service) }),
  };
}

const names: Readonly<Record<CertificateStatus['purpose'], readonly QualificationResult[]>> = {
  esig: ['QESig', 'AdESig-QC', 'AdESig'],
  eseal: ['QESeal', 'AdESeal-QC', 'AdESeal'],
  unknown: ['QES', 'AdES-QC', 'AdES'],
  web: ['not-AdES', 'not-AdES', 'not-AdES'],
};

/**
 * Qualified requires qualified status both at issuance of the certificate and at the
 * best-signature-time; the device is evaluated at the best-signature-time. @spec ETSI TS 119 615,
 * Regulation (EU) 910/2014 Article 32
 */
function resultOf({ status: issued }: StatusAt, { status: best }: StatusAt): QualificationResult {
  const isNo = issued.qualified === false || best.qualified === false;
  if (!isNo && (issued.qualified === undefined || best.qualified === undefined)) {
    return 'INDETERMINATE';
  }
  const purpose = issued.purpose === best.purpose ? best.purpose : 'unknown';
  const [qualified, withCertificate, other] = names[purpose];
  if (isNo) return other ?? 'INDETERMINATE';
  return (best.device ? qualified : withCertificate) ?? 'INDETERMINATE';
}

function qualifyTimestamp(
  { certificate, info, valid }: TimestampVerdict,
  pool: CertificatePool,
  index: ServiceIndex,
): QualificationReport | undefined {
  if (certificate === undefined || info === undefined) return undefined;
  if (!valid) return { result: 'not-AdES', reasons: ['the time-stamp is not valid'] };
  const timeMs = info.genTimeMs;
  const services = servicesOf(certificate, timeMs, pool, index);
  const states = statesAt(services, serviceTypes.qtst, timeMs);
  const time = isoTime(timeMs);
  const [first] = states;
  if (first === undefined) {
    const reasons = [`no trusted list has a service TSA/QTST that issued it, as of ${time}`];
    return { result: 'INDETERMINATE', reasons };
  }
  const found = states.find(isGranted) ?? first;
  const service = summarize(found);
  const problem = found.list.problem ?? found.state.unknownCritical[0];
  if (problem !== undefined) return { result: 'INDETERMINATE', reasons: [problem], service };
  const reason = `"${service.name}" of ${service.territory} was ${service.status} as of ${time}`;
  return { result: isGranted(found) ? 'QTST' : 'TST', reasons: [reason], service };
}

function isGranted({ state }: StateAt): boolean {
  return state.status === `${statusPrefix}granted`;
}

function summarize({ list, service, state }: StateAt): ServiceSummary {
  return {
    territory: list.territory,
    list: list.sequenceNumber,
    provider: service.provider,
    name: service.name,
    type: state.type.split('/').slice(-2).join('/'),
    status: shortStatus(state),
    since: isoTime(state.fromMs),
  };
}

function shortStatus({ status }: ServiceState): string {
  return status.startsWith(statusPrefix) ? status.slice(statusPrefix.length) : status;
}
