import {
  type EidDriver,
  EidError,
  type EidFinding,
  type EidPoll,
  type EidRequest,
  type EidSigning,
  type EidStarted,
  type EidState,
} from '../../../app/ports/index.ts';
import { faultFinding, finding } from '../findings.ts';
import { base64Of, responseFault } from '../provider-answer.ts';
import { failedBy, meetsAssurance } from '../session.ts';
import { clientToken, exchangeCode, requireCode, revokeToken } from './authorization.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import { findCredential } from './credential.ts';
import { clientOpener, requireMethod } from './info.ts';
import { type CscOptions, type CscSettings, settingsOf } from './options.ts';
import { personOf } from './person.ts';
import { type CscState, failedState, readState, stateOf } from './session-state.ts';
import { pollSignature, requestSignature } from './signature/signing.ts';
import { startCertificates, startSignature } from './start.ts';

/**
 * Driver for remote signatures with the API of the Cloud Signature Consortium. Logins are not
 * supported: a start with purpose `auth` fails with `internalError`. If the key is authorised by
 * configured values, the challenge is empty and the next poll signs.
 *
 * Not supported: `credentials/authorizeCheck`, `getChallenge`, `sendOTP`, several documents in one
 * authorization, and authorization servers identified only by their issuer.
 *
 * @throws EidError `internalError` if options contradict each other
 * @spec CSC API 2.0.0.2
 */
export function cscDriver(options: CscOptions): EidDriver {
  const settings = settingsOf(options);
  const clientOf = clientOpener(settings);
  const driver: EidDriver = {
    name: settings.name,
    channels: ['Redirect'],
    tellsPhone: false,
    answersOnce: true,
    signing: signingOf(settings),
    start: (request, environment) => start(clientOf(environment), request),
    poll: async (state, environment) => poll(clientOf(environment), readState(state)),
    cancel: async (state, environment) => revokeToken(clientOf(environment), readState(state)),
    callback: async (state, url, environment) =>
      callback(clientOf(environment), readState(state), url),
    check: (environment) => checkProvider(clientOf(environment)),
  };
  if (driver.signing?.certificate !== 'lookup') return driver;
  return {
    ...driver,
    async findCertificates({ loginHint }, environment) {
      const client = clientOf(environment);
      const info = await client.readInfo();
      const { token } = await clientToken(client, info.authorizationServer);
      const found = await findCredential(client, info, token);
      personOf(found.certificate, found.id, loginHint, settings);
      return { certificates: found.certificates, linked: { credentialId: found.id } };
    },
  };
}

function signingOf({ delivery, level, digest, rsaPadding, access }: CscSettings): EidSigning {
  const raw = access === 'client' ? 'lookup' : 'session';
  return { delivery, level, digest, rsaPadding, certificate: delivery === 'cms' ? 'none' : raw };
}

async function start(client: CscClient, request: EidRequest): Promise<EidStarted> {
  const { settings } = client;
  const { purpose, channel, minAssurance } = request;
  if (channel !== 'Redirect') {
    throw new EidError('internalError', `channel ${channel}: expected Redirect`);
  }
  const isSession = purpose === 'certificate' && settings.access === 'person';
  if (purpose !== 'sign' && !isSession) {
    throw new EidError('internalError', `purpose ${purpose} is not offered`);
  }
  if (!meetsAssurance(settings.assurance, minAssurance)) {
    throw new EidError('assuranceTooLow', 'the configured assurance is lower than requested');
  }
  const info = await client.readInfo();
  requireMethods(settings, info);
  if (isSession) return startCertificates(client, info, request);
  return startSignature(client, info, request);
}

function requireMethods({ delivery, operationMode }: CscSettings, info: CscInfo): void {
  requireMethod(info, 'credentials/info');
  requireMethod(info, delivery === 'raw' ? 'signatures/signHash' : 'signatures/signDoc');
  if (operationMode === 'S') return;
  requireMethod(info, 'signatures/signPolling');
  if (info.isAsynchronous) return;
  throw new EidError('internalError', 'the provider does not offer asynchronous signatures');
}

async function poll(client: CscClient, state: CscState): Promise<EidPoll> {
  const { phase, failure, purpose, order } = state;
  if (phase === 'failed') return { status: 'failed', ...(failure ?? { code: 'internalError' }) };
  const nowMs = client.environment.now();
  if (nowMs >= state.expiresAtMs || nowMs >= (state.tokenUntilMs ?? Number.POSITIVE_INFINITY)) {
    return { status: 'failed', code: 'expiredTransaction' };
  }
  if (phase === 'authorize') return { status: 'pending', hint: 'userSign' };
  try {
    if (purpose === 'certificate') return await completeCertificatePhase(client, state);
    if (order === undefined) throw new EidError('internalError', 'the state has no order');
    const next = phase === 'polling' ? pollSignature : requestSignature;
    return await next(client, { ...state, order });
  } catch (error) {
    return failedBy(error);
  }
}

/** Completes the certificate phase with the certificate of the person who granted access. */
async function completeCertificatePhase(client: CscClient, state: CscState): Promise<EidPoll> {
  const { settings } = client;
  const { token = '', loginHint } = state;
  const info = await client.readInfo();
  const found = await findCredential(client, info, token);
  const identity = personOf(found.certificate, found.id, loginHint, settings);
  // Nothing is signed yet, so the certificate is the only proof of identity.
  const data = base64Of(found.certificate.der);
  const certificates = found.certificates.map(base64Of);
  return {
    status: 'complete',
    identity,
    evidence: { scheme: settings.name, format: 'raw-signature', data, certificates },
    certificates: found.certificates,
    linked: { credentialId: found.id, token },
  };
}

async function callback(client: CscClient, state: CscState, url: URL): Promise<EidState> {
  const { authorization } = state;
  if (authorization === undefined) {
    throw responseFault('no redirect is expected for this session');
  }
  if (client.environment.now() >= state.expiresAtMs) {
    return failedState(state, new EidError('expiredTransaction', 'the session has ended'));
  }
  const answer = requireCode(client.settings, authorization, url);
  if (answer instanceof EidError) return failedState(state, answer);
  try {
    const token = await exchangeCode(client, state, authorization, answer);
    const { authorization: _, ...rest } = state;
    return stateOf({ ...rest, phase: 'ready', ...token });
  } catch (error) {
    if (!(error instanceof EidError) || error.code === 'providerUnavailable') throw error;
    return failedState(state, error);
  }
}

/** Findings for the operator: whether the provider responds, accepts this client, and can sign. */
async function checkProvider(client: CscClient): Promise<readonly EidFinding[]> {
  const { settings } = client;
  let info: CscInfo;
  try {
    info = await client.readInfo();
  } catch (error) {
    return [faultFinding('reachable', error)];
  }
  const findings = [
    { name: 'reachable', isOk: true, message: 'the provider responds to info' },
    versionFinding(settings, info),
    methodFinding(settings, info),
  ];
  if (settings.access === 'person') return findings;
  try {
    const { token } = await clientToken(client, info.authorizationServer);
    findings.push(finding('configuration', true, 'the provider knows the client'));
    await findCredential(client, info, token);
    const message = 'the credential can sign, and its certificate has a path';
    findings.push(finding('certificate', true, message));
  } catch (error) {
    findings.push(faultFinding(findings.length === 3 ? 'configuration' : 'certificate', error));
  }
  return findings;
}

function versionFinding({ dialect, version }: CscSettings, { specs }: CscInfo): EidFinding {
  const isOk = specs.startsWith(dialect.specs);
  const message = isOk
    ? `the version is ${version}`
    : `expected version ${version}, found a different one`;
  return { name: 'version', isOk, message };
}

function methodFinding(
  { delivery, operationMode, credentialId }: CscSettings,
  { methods, isAsynchronous }: CscInfo,
): EidFinding {
  const wanted = [
    'credentials/info',
    ...(credentialId === undefined ? ['credentials/list'] : []),
    delivery === 'raw' ? 'signatures/signHash' : 'signatures/signDoc',
    ...(operationMode === 'A' ? ['signatures/signPolling'] : []),
  ];
  const missing = wanted.filter((method) => !methods.has(method));
  if (operationMode === 'A' && !isAsynchronous) missing.push('the asynchronous mode');
  const isOk = missing.length === 0;
  const message = isOk ? 'all methods are available' : `missing: ${missing.join(', ')}`;
  return { name: 'methods', isOk, message };
}
