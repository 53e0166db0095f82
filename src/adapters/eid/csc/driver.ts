import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidPoll,
  type EidRequest,
  type EidSigning,
  type EidState,
} from '../../../app/ports/index.ts';
import { answerFault, base64Of } from '../provider-answer.ts';
import { failedBy, reaches } from '../session.ts';
import { clientToken, exchangeCode, requireCode, revokeToken } from './authorization.ts';
import { checkProvider } from './check.ts';
import { findCredential } from './credential.ts';
import { type CscInfo, type InfoReader, infoReader, requireMethod } from './info.ts';
import { type CscOptions, type CscSettings, settingsOf } from './options.ts';
import { personOf } from './person.ts';
import { type CscState, failedState, readState, stateOf } from './session-state.ts';
import { pollSignature, requestSignature } from './signature/signing.ts';
import { startCertificates, startSignature } from './start.ts';

/**
 * Signatures with remote keys by the API of the Cloud Signature Consortium. It does not offer
 * logins: a start with purpose `auth` is `internalError`. Where the key is authorised by values of
 * the configuration, the challenge is empty and the next poll signs.
 *
 * Out of the protocol: `credentials/authorizeCheck`, `getChallenge`, `sendOTP`, several documents
 * in one authorization, authorization servers that are known by their issuer alone.
 *
 * @throws EidError `internalError` when options contradict each other
 * @spec CSC API 2.0.0.2
 */
export function cscDriver(options: CscOptions): EidDriver {
  const settings = settingsOf(options);
  const readInfo = infoReader(settings);
  const driver: EidDriver = {
    name: settings.name,
    channels: ['Redirect'],
    tellsPhone: false,
    answersOnce: true,
    signing: signingOf(settings),
    start: (request, environment) => start(settings, readInfo, request, environment),
    poll: async (state, environment) => poll(settings, readInfo, readState(state), environment),
    cancel: async (state, environment) => revokeToken(settings, environment, readState(state)),
    callback: async (state, url, environment) =>
      callback(settings, readState(state), url, environment),
    check: (environment) => checkProvider(settings, readInfo, environment),
  };
  if (driver.signing?.certificate !== 'lookup') return driver;
  return {
    ...driver,
    async findCertificates({ loginHint }, environment) {
      const info = await readInfo(environment);
      const { token } = await clientToken(settings, environment, info.authorizationServer);
      const found = await findCredential(settings, environment, info, token);
      personOf(found.certificate, found.id, loginHint, settings);
      return { certificates: found.certificates, linked: { credentialId: found.id } };
    },
  };
}

function signingOf({ delivery, level, digest, rsaPadding, access }: CscSettings): EidSigning {
  const raw = access === 'client' ? 'lookup' : 'session';
  return { delivery, level, digest, rsaPadding, certificate: delivery === 'cms' ? 'none' : raw };
}

async function start(
  settings: CscSettings,
  readInfo: InfoReader,
  request: EidRequest,
  environment: EidEnvironment,
) {
  const { purpose, channel, minAssurance } = request;
  if (channel !== 'Redirect') {
    throw new EidError('internalError', `channel ${channel}: expected Redirect`);
  }
  const isSession = purpose === 'certificate' && settings.access === 'person';
  if (purpose !== 'sign' && !isSession) {
    throw new EidError('internalError', `purpose ${purpose} is not offered`);
  }
  if (!reaches(settings.assurance, minAssurance)) {
    throw new EidError('assuranceTooLow', 'the configured assurance is lower than asked for');
  }
  const info = await readInfo(environment);
  requireMethods(settings, info);
  if (isSession) return startCertificates(settings, environment, info, request);
  return startSignature(settings, environment, info, request);
}

function requireMethods({ delivery, operationMode }: CscSettings, info: CscInfo): void {
  requireMethod(info, 'credentials/info');
  requireMethod(info, delivery === 'raw' ? 'signatures/signHash' : 'signatures/signDoc');
  if (operationMode === 'S') return;
  requireMethod(info, 'signatures/signPolling');
  if (info.isAsynchronous) return;
  throw new EidError('internalError', 'the provider does not offer asynchronous signatures');
}

async function poll(
  settings: CscSettings,
  readInfo: InfoReader,
  state: CscState,
  environment: EidEnvironment,
): Promise<EidPoll> {
  const { phase, failure, purpose, order } = state;
  if (phase === 'failed') return { status: 'failed', ...(failure ?? { code: 'internalError' }) };
  const nowMs = environment.now();
  if (nowMs >= state.expiresAtMs || nowMs >= (state.tokenUntilMs ?? Number.POSITIVE_INFINITY)) {
    return { status: 'failed', code: 'expiredTransaction' };
  }
  if (phase === 'authorize') return { status: 'pending', hint: 'userSign' };
  try {
    if (purpose === 'certificate') return await listed(settings, readInfo, state, environment);
    if (order === undefined) throw new EidError('internalError', 'the state has no order');
    const next = phase === 'polling' ? pollSignature : requestSignature;
    return await next(settings, environment, state, order);
  } catch (error) {
    return failedBy(error);
  }
}

/** End of the certificate phase: the certificate of the person who has opened their credentials. */
async function listed(
  settings: CscSettings,
  readInfo: InfoReader,
  { token = '', loginHint }: CscState,
  environment: EidEnvironment,
): Promise<EidPoll> {
  const info = await readInfo(environment);
  const found = await findCredential(settings, environment, info, token);
  const identity = personOf(found.certificate, found.id, loginHint, settings);
  const data = base64Of(found.certificate.der);
  const texts = found.certificates.map(base64Of);
  // Nothing is signed yet: what shows who it is, is the certificate alone.
  const evidence = { scheme: settings.name, format: 'raw-signature', data } as const;
  return {
    status: 'complete',
    identity,
    evidence: { ...evidence, certificates: texts },
    certificates: found.certificates,
    linked: { credentialId: found.id, token },
  };
}

async function callback(
  settings: CscSettings,
  state: CscState,
  url: URL,
  environment: EidEnvironment,
): Promise<EidState> {
  const { authorization } = state;
  if (authorization === undefined) {
    throw answerFault('nobody is expected to come back to this session');
  }
  if (environment.now() >= state.expiresAtMs) {
    return failedState(state, new EidError('expiredTransaction', 'the session has ended'));
  }
  const answer = requireCode(settings, authorization, url);
  if (answer instanceof EidError) return failedState(state, answer);
  try {
    const token = await exchangeCode(settings, environment, state, authorization, answer);
    const { authorization: _, ...rest } = state;
    return stateOf({ ...rest, phase: 'ready', ...token });
  } catch (error) {
    if (!(error instanceof EidError) || error.code === 'providerUnavailable') throw error;
    return failedState(state, error);
  }
}
