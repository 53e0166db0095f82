import {
  type EidDriver,
  EidError,
  type EidFinding,
  type EidPoll,
  type EidRequest,
  type EidStarted,
  type EidState,
} from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { parseCertificate } from '../../../formats/x509/index.ts';
import { faultFinding } from '../findings.ts';
import { readObject, requireService, responseFault } from '../provider-answer.ts';
import { revocationFinding } from '../revocation-request.ts';
import { failed, requireAssurance, sessionIn } from '../session.ts';
import { sessionStatuses } from './end-results.table.ts';
import { type SmartIdClient, type SmartIdOptions, usual } from './options.ts';
import { isRunning, readCompleted } from './session-status.ts';
import { baseOf, challengeOf, type SmartIdSession, startSession } from './start-session.ts';
import { sessionSecretDigest, verifyLogin, verifySmartIdEvidence } from './verified-login.ts';

/**
 * Driver for services with version 3 of the Smart-ID protocol: logins with a device link, shown as
 * a QR code that changes every second or, if the request has a `returnUrl`, opened on the same
 * device. The request names no person, so the login identifies whoever responds.
 *
 * @throws EidError `internalError` from `start` for anything but a login with `DeviceLink`
 */
export function smartIdDriver(options: SmartIdOptions): EidDriver {
  return {
    name: 'smart-id-v3',
    channels: ['DeviceLink'],
    tellsPhone: false,
    answersOnce: false,
    start: (request, environment) => start(request, { options, environment }),
    poll: (state, environment) => poll(sessionOf(state), { options, environment }),
    // The protocol has no request for it: a session expires by itself.
    cancel: async () => {},
    refresh: (state, nowMs) => challengeOf(sessionOf(state), options, nowMs),
    callback: async (state, url) => ({ ...withReturn(sessionOf(state), url) }),
    verifyEvidence: async (evidence, login, trust) =>
      verifySmartIdEvidence(evidence, login, options, trust),
    check: (environment) => check({ options, environment }),
  };
}

async function start(request: EidRequest, client: SmartIdClient): Promise<EidStarted> {
  const { options } = client;
  if (request.purpose !== 'auth' || request.channel !== 'DeviceLink') {
    throw new EidError('internalError', 'this driver is for logins with DeviceLink only');
  }
  requireAssurance(request, options);
  const session = await startSession(request, client);
  const { startedAtMs } = session;
  return {
    state: { ...session },
    challenge: challengeOf(session, options, startedAtMs),
    pollingMs: usual.pollingMs,
    expiresAtMs: startedAtMs + (options.sessionMs ?? usual.sessionMs),
  };
}

function sessionOf(state: EidState): SmartIdSession {
  return sessionIn(state, 'smart-id-v3');
}

async function poll(session: SmartIdSession, client: SmartIdClient): Promise<EidPoll> {
  try {
    return await ask(session, client);
  } catch (error) {
    if (!(error instanceof EidError)) throw error;
    const { code, providerCode } = error;
    if (code === 'providerUnavailable' && providerCode === undefined) throw error;
    return failed(error);
  }
}

async function ask(session: SmartIdSession, client: SmartIdClient): Promise<EidPoll> {
  const { options, environment } = client;
  const { longPollMs = usual.longPollMs, timeoutMs = usual.timeoutMs } = options;
  const answer = await environment.http({
    method: 'GET',
    url: `${baseOf(options)}/session/${session.sessionId}?timeoutMs=${longPollMs}`,
    headers: { accept: 'application/json' },
    timeoutMs: timeoutMs + longPollMs,
  });
  requireService(answer);
  const { status } = answer;
  if (status !== 200) {
    const code = sessionStatuses[status] ?? 'invalidResponse';
    throw new EidError(code, `the service responded with status ${status}`, String(status));
  }
  const body = readObject(answer, 'the status of the session');
  const pending = (hint: string): EidPoll => {
    const challenge = challengeOf(session, options, environment.now());
    return { status: 'pending', hint, challenge };
  };
  if (isRunning(body)) return pending('RUNNING');
  const completed = readCompleted(body, options.hashAlgorithm ?? usual.hashAlgorithm);
  // On the same device, the redirect back proves that this session's browser opened the app.
  if (session.flow === 'Web2App' && session.verifier === undefined) return pending('COMPLETE');
  return verifyLogin(completed, session, client);
}

async function check(client: SmartIdClient): Promise<readonly EidFinding[]> {
  const { options } = client;
  return [
    configuration(options),
    certificates(options),
    revocationFinding(options),
    await reachable(client),
  ];
}

function configuration(options: SmartIdOptions): EidFinding {
  const name = 'configuration';
  const { baseUrl } = options;
  const isHttps = isUrl(baseUrl) && new URL(baseUrl).protocol === 'https:';
  if (!isHttps) return { name, isOk: false, message: 'baseUrl: expected an https address' };
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(options.relyingPartyUuid);
  const message = isUuid
    ? 'address and relying party are set'
    : 'relyingPartyUuid: expected a UUID';
  return { name, isOk: isUuid, message };
}

function certificates({ anchors, intermediates = [] }: SmartIdOptions): EidFinding {
  const name = 'certificate';
  if (anchors.length === 0) return { name, isOk: false, message: 'anchors: expected at least one' };
  const all = [...anchors, ...intermediates];
  const isOk = attemptAny(() => all.map(parseCertificate)) !== undefined;
  const found = `${all.length} certificates of the provider`;
  return { name, isOk, message: isOk ? found : 'anchors: expected certificates, DER' };
}

/** Requests a nonexistent session: the service responds 404 if it accepts the relying party. */
async function reachable({ options, environment: { http } }: SmartIdClient): Promise<EidFinding> {
  const name = 'reachable';
  try {
    const nobody = '00000000-0000-0000-0000-000000000000';
    const url = `${baseOf(options)}/session/${nobody}?timeoutMs=1000`;
    const { status } = await http({ method: 'GET', url, timeoutMs: usual.timeoutMs });
    return { name, isOk: status === 404, message: `the service responded with status ${status}` };
  } catch (error) {
    return faultFinding(name, error, 'the service: ');
  }
}

const what = 'the redirect URI';

/**
 * Adds the verifier from the redirect URL to the session. The URL must be the one the session was
 * started with, including its nonce, plus the digest of the session secret; it is accepted once.
 *
 * @throws EidError `invalidResponse`
 */
function withReturn(session: SmartIdSession, url: URL): SmartIdSession {
  const { flow, initialCallbackUrl, sessionSecret } = session;
  if (flow !== 'Web2App') throw responseFault('a QR code has no redirect');
  if (session.verifier !== undefined) throw responseFault(`${what} was already used`);
  const begun = new URL(initialCallbackUrl);
  const isThere = url.origin === begun.origin && url.pathname === begun.pathname;
  const isOwn = [...begun.searchParams].every(([name, value]) => only(url, name) === value);
  if (!isThere || !isOwn) throw responseFault(`${what}: expected that of the session`);
  if (only(url, 'sessionSecretDigest') !== sessionSecretDigest(sessionSecret)) {
    throw responseFault(`${what}: expected the digest of the secret of the session`);
  }
  const verifier = only(url, 'userChallengeVerifier');
  if (verifier === undefined || !/^[\w-]{22,128}$/.test(verifier)) {
    throw responseFault(`${what}: expected userChallengeVerifier`);
  }
  return { ...session, verifier };
}

function only(url: URL, name: string): string | undefined {
  const [value, ...others] = url.searchParams.getAll(name);
  return others.length === 0 ? value : undefined;
}
