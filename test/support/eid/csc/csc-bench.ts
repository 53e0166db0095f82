import { createHash } from 'node:crypto';
import { type CscOptions, cscDriver } from '../../../../src/adapters/eid/csc/index.ts';
import { eidTrust } from '../../../../src/app/eid/eid-trust.ts';
import type {
  EidDigest,
  EidDriver,
  EidEnvironment,
  EidRequest,
  EidSignOrder,
  EidState,
} from '../../../../src/app/ports/index.ts';
import { oids } from '../../../../src/formats/asn1/index.ts';
import { buildSignedAttributes } from '../../../../src/formats/cms/index.ts';
import { buildName } from '../../../../src/formats/x509/index.ts';
import { makeTestPki, type TestKeyKind, type TestMember } from '../../pki.ts';
import { countingRandom } from '../../sealing.ts';
import type { DriverBench } from '../driver-contract.ts';
import { cscServer } from './csc-server.ts';
import { type CscServerOptions, cscFacts } from './provider-state.ts';

/** The person of the provider. */
export const cscPerson = { ssn: '0103901099', name: 'Anna Björk Prófsdóttir' } as const;

/** Certificates of the person, of a different person, and by a foreign issuer, by kind of key. */
interface CscPeople {
  readonly member: TestMember;
  readonly stranger: TestMember;
  readonly foreign: TestMember;
  readonly root: Uint8Array;
  readonly nowMs: number;
}

/** The PKI of the provider. */
export const cscPki = makeTestPki();
const elsewhere = makeTestPki();
const known = new Map<TestKeyKind, CscPeople>();

/** The persons of a test file: their keys are generated once. */
export function cscPeople(key: TestKeyKind): CscPeople {
  const found = known.get(key);
  if (found !== undefined) return found;
  const issue = (from: typeof cscPki, name: string, number: string) => {
    const attributes = { countryName: 'IS', commonName: name, serialNumber: `PNOIS-${number}` };
    return from.issue({ name: `${key} ${number}`, key, subjectDer: buildName(attributes) });
  };
  const people = {
    member: issue(cscPki, cscPerson.name, cscPerson.ssn),
    stranger: issue(cscPki, 'Annar Maður', '0203901589'),
    foreign: issue(elsewhere, cscPerson.name, cscPerson.ssn),
    root: cscPki.member('root').der,
    nowMs: cscPki.nowMs,
  };
  known.set(key, people);
  return people;
}

/** Setup of provider and driver. */
export interface CscBenchOptions {
  readonly key?: TestKeyKind;
  readonly server?: Partial<CscServerOptions>;
  readonly driver?: Partial<CscOptions>;
}

/** OIDs of the algorithms of a key, as providers list them. */
export const keyAlgorithms: Readonly<Record<string, readonly string[]>> = {
  'RSA-2048': ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.10', '1.2.840.113549.1.1.11'],
  'P-256': ['1.2.840.10045.2.1', '1.2.840.10045.4.3.2'],
};

/** A provider with a driver for it, and the request of one signature. */
export function openCscBench(options: CscBenchOptions = {}) {
  const { key = 'RSA-2048' } = options;
  const people = cscPeople(key);
  const { member, stranger, foreign, root } = people;
  const clock = { nowMs: people.nowMs };
  const version = options.driver?.version ?? '2.0';
  const server = cscServer({
    ...{ member, stranger, foreign, version, mode: 'oauth2code' },
    algo: keyAlgorithms[key] ?? [],
    now: () => clock.nowMs,
    ...options.server,
  });
  const { url, clientId, clientSecret, redirectUri } = cscFacts;
  const settings: CscOptions = {
    ...{ url, version, clientId, clientSecret, redirectUri },
    anchors: [root],
    ...options.driver,
  };
  const environment: EidEnvironment = {
    now: () => clock.nowMs,
    random: countingRandom(),
    trust: eidTrust(),
    http: async ({ method, url: address, headers = {}, body = '' }) => {
      const text = typeof body === 'string' ? body : Buffer.from(body).toString();
      return server.handle({ method, url: address, headers, body: text });
    },
  };
  let redirectUrl = '';
  const driver = cscDriver(settings);
  const watched: EidDriver = {
    ...driver,
    async start(request, given) {
      const started = await driver.start(request, given);
      redirectUrl = started.challenge.redirectUrl ?? '';
      return started;
    },
  };
  return {
    ...{ driver: watched, environment, server, settings },
    advance: (ms: number): void => {
      clock.nowMs += ms;
    },
    /**
     * The state after the person of the newest session has returned; unchanged if there is no page.
     */
    async comeBack(state: EidState, decision: CscDecision = 'approve'): Promise<EidState> {
      if (redirectUrl === '' || driver.callback === undefined) return state;
      return driver.callback(state, server.visit(redirectUrl, decision), environment);
    },
    requestCount: server.requestCount,
  };
}

/** Actions of a person on the provider's page. */
type CscDecision = 'approve' | 'decline' | 'break';

/** A bench for the common driver suite: a person who has approved returns automatically. */
export function openCscContract(options: CscBenchOptions): DriverBench & Pick<CscBench, 'server'> {
  const bench = openCscBench(options);
  const { driver, environment, server, advance, requestCount } = bench;
  let decision: CscDecision | undefined;
  let isLate = false;
  let returned: Promise<EidState> | undefined;
  const current = async (state: EidState): Promise<EidState> => {
    const { phase } = state;
    if (phase !== 'authorize' || decision === undefined || isLate) return state;
    returned ??= bench.comeBack(state, decision);
    return returned;
  };
  return {
    driver: {
      ...driver,
      poll: async (state, given) => driver.poll(await current(state), given),
    },
    ...{ environment, server, advance, requestCount },
    approve() {
      decision = 'approve';
      server.approve();
    },
    fail(code) {
      if (code === 'accountUnusable') server.inject('disabled-key');
      else if (code === 'certificateErr') server.inject('revoked-status');
      else if (code === 'identityMismatch') server.inject('other-person');
      else if (code === 'providerUnavailable') server.inject('unavailable');
      else if (code === 'internalError') server.inject('several-credentials');
      else if (code === 'userCancel') decision = 'decline';
      else if (code !== 'expiredTransaction') throw new Error(`the provider cannot cause ${code}`);
      else {
        isLate = true;
        advance(1_000_000);
      }
    },
    secrets: () => [...server.secrets(), cscPerson.ssn].filter((text) => text.length > 3),
  };
}

/** A bench that exposes the server. */
export type CscBench = ReturnType<typeof openCscBench>;

/** The order of one signature: signed attributes over a document, by the certificate. */
export function cscOrder(
  member: TestMember,
  { digest = 'sha256', isCms = false }: { digest?: EidDigest; isCms?: boolean } = {},
): EidSignOrder {
  const document = createHash(digest).update('the document').digest();
  const { certificate, der, chain } = member;
  if (isCms) return { digest: document, label: 'Agreement.pdf' };
  const signedBytes = buildSignedAttributes({
    contentType: oids.data,
    messageDigest: document,
    certificate,
    certificateDigest: digest,
  });
  return {
    digest: createHash(digest).update(signedBytes).digest(),
    signedBytes,
    label: 'Agreement.pdf',
    certificates: [der, ...chain],
  };
}

/** The request of a signature by the person. */
export function cscRequest(order: EidSignOrder, changes: Partial<EidRequest> = {}): EidRequest {
  return {
    purpose: 'sign',
    channel: 'Redirect',
    loginHint: cscPerson.ssn,
    text: 'Agreement.pdf',
    language: 'is',
    includeVerificationCode: false,
    order,
    ...changes,
  };
}
