import { createHash, createHmac } from 'node:crypto';
import { type Account, type SmartIdWorld, signAcsp, textDigest } from './account.ts';

/** A session as stored by the service. */
export interface ServiceSession {
  readonly id: string;
  readonly token: string;
  readonly secret: Buffer;
  readonly startedAtMs: number;
  /** The request body with which it was started. */
  readonly request: StartBody;
  readonly body: string;
  flow?: 'QR' | 'Web2App' | 'App2App';
  endResult?: string;
  /** The account that opened the link. Default: the usual one. */
  account?: Account;
}

/** Required members of a start. */
export interface StartBody {
  readonly relyingPartyUUID: string;
  readonly relyingPartyName: string;
  readonly certificateLevel: string;
  readonly signatureProtocol: string;
  readonly signatureProtocolParameters: {
    readonly rpChallenge: string;
    readonly signatureAlgorithm: string;
    readonly signatureAlgorithmParameters: { readonly hashAlgorithm: string };
  };
  readonly interactions: string;
  readonly initialCallbackUrl?: string;
}

/** Names and base address of the service. */
export const service = {
  baseUrl: 'https://rp-api.smart-id.example/v3',
  schemeName: 'smart-id-demo',
  relyingPartyUuid: '00000000-0000-4000-8000-000000000000',
  relyingPartyName: 'DEMO',
  brokeredRpName: 'Example RP',
  deviceLinkBase: 'https://smart-id.example/device-link',
} as const;

/** An older code is rejected. */
const OLDEST_CODE_SECONDS = 3;

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/**
 * The app opens a link. It rejects links with a wrong code, an expired time, or a request that
 * differs from its session.
 *
 * @returns undefined, or the reason why the app does not open
 */
export function openLink(link: string, session: ServiceSession, nowMs: number): string | undefined {
  const [plain = '', authCode] = link.split('&authCode=');
  const { request } = session;
  const said = new URL(plain).searchParams;
  const flow = said.get('deviceLinkType');
  if (!plain.startsWith(`${service.deviceLinkBase}?deviceLinkType=`)) return 'base';
  if (said.get('sessionToken') !== session.token || said.get('sessionType') !== 'auth')
    return 'token';
  if (said.get('version') !== '1.0' || !/^[a-z]{3}$/.test(said.get('lang') ?? '')) return 'version';
  const isQr = flow === 'QR';
  if (!isQr && flow !== 'Web2App' && flow !== 'App2App') return 'type';
  if (isQr !== (request.initialCallbackUrl === undefined)) return 'flow';
  const elapsed = Math.floor((nowMs - session.startedAtMs) / 1_000);
  const age = elapsed - Number(said.get('elapsedSeconds'));
  if (isQr ? age < 0 || age > OLDEST_CODE_SECONDS : said.has('elapsedSeconds')) return 'time';
  const covered = [
    service.schemeName,
    request.signatureProtocol,
    request.signatureProtocolParameters.rpChallenge,
    base64(service.relyingPartyName),
    base64(service.brokeredRpName),
    request.interactions,
    request.initialCallbackUrl ?? '',
    plain,
  ].join('|');
  const expected = createHmac('sha256', session.secret).update(covered).digest('base64url');
  if (authCode !== expected) return 'authCode';
  session.flow = flow;
  return undefined;
}

/** Verifier of a session's app, for the return URL. */
export function verifierOf(session: ServiceSession): string {
  return createHash('sha256').update(`verifier ${session.id}`).digest('base64url');
}

/** The URL to which the app redirects the browser on the same device. */
export function returnAddress(session: ServiceSession): URL {
  const url = new URL(session.request.initialCallbackUrl ?? '');
  const digest = createHash('sha256').update(session.secret).digest('base64url');
  url.searchParams.set('sessionSecretDigest', digest);
  url.searchParams.set('userChallengeVerifier', verifierOf(session));
  return url;
}

/** Injectable faults of a finished session, besides those of certificates. */
export const answerFaults = [
  'signed: other server random',
  'signed: other challenge',
  'signed: other interactions',
  'signed: other relying party',
  'signed: other scheme',
  'signed: other callback',
  'signed: shorter salt',
  'signed: other hash',
  'said: other flow',
  'said: other interaction',
  'said: other protocol',
  'said: other algorithm',
  'said: other salt',
  'said: other mask',
  'said: other document',
  'said: separator in the server random',
  'said: no certificate',
  'said: no signature',
  'said: unknown state',
] as const;

/** The response for an approved session. */
export function completed(
  session: ServiceSession,
  world: SmartIdWorld,
  faults: ReadonlySet<string>,
  account: Account | undefined = world.usual,
): object {
  const [special] = [...faults].flatMap((fault) => world.variants[fault] ?? []);
  const used = special ?? account;
  const { request, flow = 'QR' } = session;
  const verifier = verifierOf(session);
  const userChallenge = createHash('sha256').update(verifier).digest('base64url');
  const serverRandom = faults.has('said: separator in the server random')
    ? 'MTlop6EXCrQ6|OErcKjxUhbV'
    : createHash('sha256').update(`server ${session.id}`).digest('base64').slice(0, 24);
  const signs = (name: string) => faults.has(`signed: other ${name}`);
  const interactionTypeUsed = faults.has('said: other interaction')
    ? 'confirmationMessageAndVerificationCodeChoice'
    : 'confirmationMessage';
  const flowType = faults.has('said: other flow') ? 'App2App' : flow;
  const value = signAcsp(
    used,
    [
      signs('scheme') ? 'smart-id' : service.schemeName,
      'ACSP_V2',
      signs('server random') ? 'AAAAAAAAAAAAAAAAAAAAAAAA' : serverRandom,
      signs('challenge') ? 'AAAA' : request.signatureProtocolParameters.rpChallenge,
      userChallenge,
      base64(signs('relying party') ? 'OTHER' : service.relyingPartyName),
      base64(service.brokeredRpName),
      textDigest(signs('interactions') ? 'W10=' : request.interactions),
      interactionTypeUsed,
      signs('callback') ? 'https://x.example/' : (request.initialCallbackUrl ?? ''),
      flowType,
    ],
    {
      salt: faults.has('signed: shorter salt') ? 32 : 64,
      hash: signs('hash') ? 'sha256' : 'sha512',
    },
  );
  const level = faults.has('level: ADVANCED') ? 'ADVANCED' : 'QUALIFIED';
  return {
    state: faults.has('said: unknown state') ? 'DONE' : 'COMPLETE',
    result: {
      endResult: 'OK',
      documentNumber: faults.has('said: other document')
        ? 'PNOEE-99999999999-MOCK-Q'
        : used.documentNumber,
    },
    signatureProtocol: faults.has('said: other protocol') ? 'RAW_DIGEST_SIGNATURE' : 'ACSP_V2',
    ...(faults.has('said: no signature')
      ? {}
      : { signature: { value, serverRandom, userChallenge, flowType, ...algorithm(faults) } }),
    ...(faults.has('said: no certificate')
      ? {}
      : {
          cert: {
            value: Buffer.from(used.member.der).toString('base64'),
            certificateLevel: level,
          },
        }),
    interactionTypeUsed,
    ignoredProperties: [],
  };
}

function algorithm(faults: ReadonlySet<string>) {
  const pkcs1 = faults.has('said: other algorithm');
  const mask = faults.has('said: other mask') ? 'SHA-256' : 'SHA-512';
  return {
    signatureAlgorithm: pkcs1 ? 'sha512WithRSAEncryption' : 'rsassa-pss',
    signatureAlgorithmParameters: {
      hashAlgorithm: 'SHA-512',
      maskGenAlgorithm: { algorithm: 'id-mgf1', parameters: { hashAlgorithm: mask } },
      saltLength: faults.has('said: other salt') ? 32 : 64,
      trailerField: '0xbc',
    },
  };
}
