import { isInnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { extensionPrefix, serviceTypes, statusPrefix } from '../../formats/tsl/index.ts';
import {
  type Certificate,
  parseQcStatements,
  type QcStatements,
} from '../../formats/x509/index.ts';
import { captureQualifiers, policiesOf } from './criteria.ts';
import type { CertificateStatus } from './qualification.types.ts';
import { type ListedService, type StateAt, statesAt } from './service-index.ts';

/** Date of application of Regulation (EU) 910/2014, in epoch milliseconds: midnight in Brussels. */
const EIDAS_MS = Date.UTC(2016, 5, 30, 22);

/** Policies of qualified certificates before that date. @spec ETSI TS 101 456 §5.2 */
const oldPolicies = { qualified: '0.4.0.1456.1.2', withDevice: '0.4.0.1456.1.1' };

const oldStatuses = new Set(['undersupervision', 'supervisionincessation', 'accredited']);

const purposeNames = {
  ForeSignatures: 'esig',
  ForeSeals: 'eseal',
  ForWebSiteAuthentication: 'web',
} as const;

const purposeQualifiers = { QCForESig: 'esig', QCForESeal: 'eseal', QCForWSA: 'web' } as const;

type Purpose = CertificateStatus['purpose'];

/** Status of a certificate at a time according to trusted lists, with reason and service. */
export interface StatusAt {
  readonly status: CertificateStatus;
  readonly reason: string;
  readonly state?: StateAt;
}

/**
 * Determines the status of a certificate at a time from the services that issued it: from its own
 * claims, the status and type of the service, and the qualifiers by which the list overrules the
 * certificate.
 *
 * @spec ETSI TS 119 615 §4.4, §4.5
 */
export function statusAt(
  certificate: Certificate,
  [nearest = [], ...above]: readonly (readonly ListedService[])[],
  timeMs: number,
): StatusAt {
  const time = isoTime(timeMs);
  const nothing = { time, purpose: 'unknown', device: false } as const;
  const claims = readClaims(certificate);
  if (typeof claims === 'string') return { status: nothing, reason: claims };
  const states = statesAt(nearest, serviceTypes.caQc, timeMs);
  if (states.length === 0) {
    const reason = `no trusted list has a service CA/QC that issued it, as of ${time}`;
    return { status: { ...nothing, purpose: purposeOf(claims) }, reason };
  }
  const answerBy = (state: StateAt) => statusBy(state, certificate, claims, timeMs);
  const answers = states.map(answerBy);
  // Several services may share a key for different purposes. Otherwise all of them must agree.
  const covering = answers.filter(({ isCovered }) => isCovered);
  const [first, ...others] = covering.length > 0 ? covering : answers;
  const answer = first as StatusBy;
  // Higher authorities do not qualify the certificate, but must not contradict its issuer.
  const roots = statesAt(above.flat(), serviceTypes.caQc, timeMs).map(answerBy);
  const asked = [...others, ...roots.filter(({ isCovered }) => isCovered)];
  if (asked.some(({ status }) => JSON.stringify(status) !== JSON.stringify(answer.status))) {
    const reason = `the lists contradict each other about the certificate, as of ${time}`;
    return { status: nothing, reason, state: answer.state };
  }
  return answer;
}

interface StatusBy extends StatusAt {
  readonly state: StateAt;
  readonly isCovered: boolean;
}

/** The status according to one service. */
function statusBy(
  state: StateAt,
  certificate: Certificate,
  claims: Claims,
  timeMs: number,
): StatusBy {
  const isOld = timeMs < EIDAS_MS;
  const time = isoTime(timeMs);
  const { names, doubt } = captureQualifiers(state.state, certificate);
  const purpose = overruledPurpose(claims, names, isOld);
  const isGranted = isStatusGranted(state.state.status, isOld);
  const covered = isOld || coversPurpose(state, purpose);
  const facts = { state, isCovered: covered === true };
  const answer = (qualified: boolean | undefined, reason: string): StatusBy => {
    const device = qualified === true && hasDevice(claims, names, isOld);
    const known = qualified === undefined ? {} : { qualified };
    return { ...facts, status: { time, ...known, purpose, device }, reason };
  };
  const { problem, territory } = state.list;
  if (problem !== undefined) return answer(undefined, problem);
  const [unknown] = state.state.unknownCritical;
  const obscure = unknown ?? doubt;
  if (obscure !== undefined) {
    return answer(undefined, `the list of ${territory} has "${obscure}", which is not supported`);
  }
  const status = state.state.status.slice(statusPrefix.length);
  const service = `"${state.service.name}" of ${territory}`;
  if (!isGranted) return answer(false, `the service ${service} was ${status} as of ${time}`);
  if (covered === undefined) {
    return answer(undefined, `the list does not state the purpose of certificates of ${service}`);
  }
  if (!covered) return answer(false, `the service ${service} is not granted for such certificates`);
  const isSaid = names.has('NotQualified');
  const isTwofold = !isOld && saidPurposes(names).length > 1;
  if (isTwofold || (isSaid && names.has('QCStatement'))) {
    return answer(undefined, `the list of ${territory} contradicts itself about the certificate`);
  }
  if (isSaid) return answer(false, `the list of ${territory} states that it is not qualified`);
  if (names.has('QCForLegalPerson') && isOld) {
    return answer(false, `the list of ${territory} states that it is for a legal person`);
  }
  const granted = `the service ${service} was ${status} as of ${time}`;
  if (names.has('QCStatement'))
    return answer(true, `${granted}; the list states that it is qualified`);
  if (claims.isQualified) return answer(true, granted);
  return answer(false, `the certificate does not claim to be qualified; ${granted}`);
}

function isStatusGranted(uri: string, isOld: boolean): boolean {
  const status = uri.startsWith(statusPrefix) ? uri.slice(statusPrefix.length) : '';
  return status === 'granted' || (isOld && oldStatuses.has(status));
}

/** Undefined if the list does not state the purpose of the service. @spec TS 119 612 §5.5.9.4 */
function coversPurpose({ state }: StateAt, purpose: Purpose): boolean | undefined {
  const stated = Object.entries(purposeNames).filter(([name]) =>
    state.information.includes(`${extensionPrefix}${name}`),
  );
  if (stated.length === 0) return undefined;
  return purpose === 'unknown' || stated.some(([, each]) => each === purpose);
}

interface Claims extends QcStatements {
  readonly isQualified: boolean;
  readonly isOld: boolean;
  readonly hasDevice: boolean;
}

/** The claims of the certificate, by the rules at its time of issuance. */
function readClaims(certificate: Certificate): Claims | string {
  const isOld = certificate.notBeforeMs < EIDAS_MS;
  const policies = isOld ? policiesOf(certificate) : [];
  try {
    const stated = parseQcStatements(certificate);
    const isPlus = policies.includes(oldPolicies.withDevice);
    // Statements under the law of another country do not apply in the EU.
    const isOfUnion = stated.countries.length === 0;
    const isQualified =
      isOfUnion && (stated.compliance || isPlus || policies.includes(oldPolicies.qualified));
    return { ...stated, isOld, isQualified, hasDevice: isOfUnion && (stated.device || isPlus) };
  } catch (error) {
    if (isInnsigliError(error)) return `its qcStatements cannot be read: ${error.message}`;
    throw error;
  }
}

/** A qualified certificate without a type is for signatures. @spec EN 319 412-5 §4.2.3 */
function purposeOf({ purposes, isQualified, isOld }: Claims): Purpose {
  const [first, ...others] = new Set(purposes);
  if (first === undefined) return isQualified || isOld ? 'esig' : 'unknown';
  return others.length === 0 ? first : 'unknown';
}

function overruledPurpose(claims: Claims, names: ReadonlySet<string>, isOld: boolean): Purpose {
  if (isOld) return 'esig';
  const [first, ...others] = saidPurposes(names);
  if (first === undefined) return purposeOf(claims);
  return others.length === 0 ? first : 'unknown';
}

/** The purposes of certificates according to the list. If there are several, none applies. */
function saidPurposes(names: ReadonlySet<string>): readonly Purpose[] {
  const said = Object.entries(purposeQualifiers).filter(([name]) => names.has(name));
  return said.map(([, purpose]) => purpose);
}

function hasDevice(claims: Claims, names: ReadonlySet<string>, isOld: boolean): boolean {
  const [yes, no] = isOld
    ? [['QCWithSSCD'], ['QCNoSSCD']]
    : [['QCWithQSCD', 'QCQSCDManagedOnBehalf'], ['QCNoQSCD']];
  // If qualifiers contradict each other, the negative one applies.
  if (no.some((name) => names.has(name))) return false;
  return yes.some((name) => names.has(name)) || claims.hasDevice;
}
