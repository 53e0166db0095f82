import { type SmartIdOptions, smartIdDriver } from '../../../src/adapters/eid/smart-id/index.ts';
import { eidTrust } from '../../../src/app/eid/eid-trust.ts';
import type {
  EidDriver,
  EidEnvironment,
  EidHttpAnswer,
  EidHttpRequest,
  EidRequest,
  EidState,
} from '../../../src/app/ports/index.ts';
import { countingRandom } from '../sealing.ts';
import type { DriverBench } from './driver-contract.ts';
import { type Account, makeSmartIdWorld } from './smart-id/account.ts';
import { service } from './smart-id/phone.ts';
import { type ServiceAnswer, type ServiceRequest, smartIdService } from './smart-id-server.ts';

/** One world for the tests of a file: generating its keys is slow. */
export const world = makeSmartIdWorld();

/** Options of a registered relying party. */
export const smartIdOptions: SmartIdOptions = { ...service, anchors: [world.pki.member('ca').der] };

/** A response of the service as drivers receive it. */
export function httpAnswer({ status, headers = {}, body = '' }: ServiceAnswer): EidHttpAnswer {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: bytes };
}

/** A request of a driver as the service sees it. */
export function serviceRequest({ method, url, headers = {}, body = '' }: EidHttpRequest) {
  const request: ServiceRequest = { method, url: new URL(url), headers, body: Buffer.from(body) };
  return request;
}

/** A driver with its service, connected without sockets; the app scans the code of the driver. */
export function openSmartId(changes: Partial<SmartIdOptions> = {}) {
  const provider = smartIdService(world);
  const plain = smartIdDriver({ ...smartIdOptions, ...changes });
  let newest: EidState = {};
  const driver: EidDriver = {
    ...plain,
    async start(request, environment) {
      const started = await plain.start(request, environment);
      newest = started.state;
      return started;
    },
  };
  const environment: EidEnvironment = {
    now: () => provider.nowMs,
    random: countingRandom(),
    http: async (request) => httpAnswer(provider.handle(serviceRequest(request))),
    trust: eidTrust(),
  };
  const shown = () => {
    const { qrData, sameDeviceLink } = driver.refresh?.(newest, provider.nowMs) ?? {};
    return qrData ?? sameDeviceLink ?? '';
  };
  const bench = {
    driver,
    environment,
    provider,
    advance: (ms: number) => {
      provider.nowMs += ms;
    },
    approve: (account?: Account) => provider.approve(shown(), account),
    fail(code: string) {
      const results: Readonly<Record<string, string>> = {
        userCancel: 'USER_REFUSED',
        expiredTransaction: 'TIMEOUT',
        wrongVerificationCode: 'WRONG_VC',
        certificateErr: 'DOCUMENT_UNUSABLE',
        accountUnusable: 'ACCOUNT_UNUSABLE',
        appNotSupported: 'REQUIRED_INTERACTION_NOT_SUPPORTED_BY_APP',
        invalidResponse: 'PROTOCOL_FAILURE',
        providerUnavailable: 'SERVER_ERROR',
        internalError: 'SOMETHING_NEW',
      };
      if (provider.sessions.length > 0) provider.end(results[code] ?? '');
      else provider.refuse(startStatuses[code] ?? 500);
    },
    requestCount: () => provider.log.length,
    secrets: () => [
      ...provider.sessions.map(({ secret }) => secret.toString('base64')),
      '40404040009',
    ],
  } satisfies DriverBench & Record<string, unknown>;
  return bench;
}

const startStatuses: Readonly<Record<string, number>> = {
  internalError: 400,
  providerUnavailable: 403,
  notAUser: 471,
  accountUnusable: 472,
};

/** A login of the person who scans the code. */
export function qrRequest(changes: Partial<EidRequest> = {}): EidRequest {
  return {
    purpose: 'auth',
    channel: 'DeviceLink',
    loginHint: '',
    text: 'Login to the archive',
    language: 'is',
    includeVerificationCode: false,
    ...changes,
  };
}
