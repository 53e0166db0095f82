import type {
  EidDriver,
  EidError,
  EidFinding,
  EidPoll,
  EidRequest,
  EidSigning,
  EidStarted,
  EidState,
} from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { faultFinding } from '../../findings.ts';
import {
  type Fields,
  findNumber,
  findText,
  formRequest,
  readObject,
  requireService,
  requireText,
  responseFault,
} from '../../provider-answer.ts';
import { requireAssurance, sessionIn } from '../../session.ts';
import { findings } from '../findings.ts';
import { channelDigests } from '../login-content.ts';
import { basicAuthorization, endpointsOf, usualSessionMs, usualTimeoutMs } from '../options.ts';
import { verifyAudkenniEvidence } from '../person/shown-login.ts';
import { type VerifiedPerson, verifyPerson } from '../person/verified-person.ts';
import { oauthError } from '../provider-error.ts';
import { runSteps } from '../steps.ts';
import { readTokens, requestUserInfo, type Tokens } from '../tokens/user-info-request.ts';
import {
  type CibaSession,
  type CibaStep,
  contentOf,
  expectedOf,
  signedHash,
} from './ciba-session.ts';
import { type CibaClient, type CibaOptions, clientKey, requestToken } from './request-token.ts';

/**
 * Driver of Auðkenni (Iceland) for one channel, using its back-channel interface (CIBA), for logins
 * and signatures. A SIM card returns a CMS over the digest of a document (SHA-256). The app returns
 * a signature value (RSASSA-PKCS1-v1_5, SHA-512), following a session in which the person has
 * chosen the certificate.
 *
 * @throws EidError `internalError` from `start` for a different channel or an unusable key
 */
export function audkenniCibaDriver(options: CibaOptions): EidDriver {
  const { channel } = options;
  return {
    name: 'audkenni-ciba',
    channels: [channel],
    tellsPhone: channel === 'Sim',
    answersOnce: true,
    signing: signingOf(options),
    start: (request, environment) => start(request, { options, environment }),
    poll: (state, environment) => poll(state, { options, environment }),
    // The interface has no request for it: the prompt expires by itself.
    cancel: async () => {},
    verifyEvidence: async (evidence, login, trust) =>
      verifyAudkenniEvidence(evidence, login, options, trust),
    check: async (environment) => [
      ...(await findings({ options, environment })),
      keyFinding(options),
    ],
  };
}

function signingOf({ channel, level = 'advanced' }: CibaOptions): EidSigning {
  const digest = channelDigests[channel];
  return channel === 'App'
    ? { delivery: 'raw', level, digest, certificate: 'session' }
    : { delivery: 'cms', level, digest, certificate: 'none' };
}

function keyFinding(options: CibaOptions): EidFinding {
  const name = 'key';
  try {
    clientKey(options);
    return { name, isOk: true, message: 'the key for requests is usable' };
  } catch (error) {
    return faultFinding(name, error);
  }
}

const paceMs = { least: 1_000, usual: 5_000, most: 30_000, more: 5_000 } as const;
const MOST_REQUEST_ID = 4_096;

async function start(request: EidRequest, client: CibaClient): Promise<EidStarted> {
  const { options, environment } = client;
  requireAssurance(request, options);
  const content = contentOf(request, client);
  const hash = signedHash(content)?.value ?? new Uint8Array();
  const token = requestToken(
    { ...content, longText: request.text, hash: Buffer.from(hash).toString('base64') },
    client,
  );
  const { backchannel } = endpointsOf(options);
  const answer = await post(backchannel, { request: token }, client);
  const what = 'the session response';
  const body = readObject(answer, what);
  if (answer.status !== 200) throw refusal(body, options);
  const nowMs = environment.now();
  const sessionMs = options.sessionMs ?? usualSessionMs;
  const expiresMs = 1_000 * (findNumber(body, 'expires_in') ?? sessionMs / 1_000);
  const intervalMs = 1_000 * (findNumber(body, 'interval') ?? paceMs.usual / 1_000);
  const pollingMs = Math.min(Math.max(intervalMs, paceMs.least), paceMs.most);
  const session: CibaSession = {
    kind: 'audkenni-ciba',
    ...content,
    authReqId: requireText(body, 'auth_req_id', what, MOST_REQUEST_ID),
    startedAtMs: nowMs,
    pollingMs,
    step: { name: 'authorization_pending' },
  };
  return {
    state: { ...session },
    challenge: defined({ verificationCode: content.verificationCode }),
    pollingMs,
    expiresAtMs: nowMs + Math.max(paceMs.least, Math.min(expiresMs, sessionMs)),
  };
}

async function post(url: string, form: Fields, { options, environment: { http } }: CibaClient) {
  const { clientId, clientSecret, timeoutMs = usualTimeoutMs } = options;
  const headers = basicAuthorization(clientId, clientSecret);
  const answer = await http(formRequest(url, form, timeoutMs, headers));
  requireService(answer);
  return answer;
}

function refusal(body: Parameters<typeof oauthError>[0], options: CibaOptions): EidError {
  if (findText(body, 'error') === undefined) return responseFault('expected an OAuth error');
  return oauthError(body, options.errorCodes ?? {});
}

async function poll(state: EidState, client: CibaClient): Promise<EidPoll> {
  const session = sessionIn<CibaSession>(state, 'audkenni-ciba');
  const advance = async (step: CibaStep): Promise<CibaStep | EidPoll> =>
    step.name === 'authorization_pending'
      ? askForTokens(session, client)
      : complete(step, session, client);
  return runSteps(session.step, advance, (step) => ({ ...session, step }));
}

/** @spec CIBA Core §10.1, §11 */
async function askForTokens(session: CibaSession, client: CibaClient): Promise<CibaStep | EidPoll> {
  const { options } = client;
  const { authReqId } = session;
  const grant = 'urn:openid:params:grant-type:ciba';
  const form = { grant_type: grant, auth_req_id: authReqId };
  const answer = await post(endpointsOf(options).token, form, client);
  const body = readObject(answer, 'the token response');
  if (answer.status === 200) return { name: 'userinfo', ...readTokens(body) };
  const hint = findText(body, 'error');
  if (hint === 'authorization_pending') return { status: 'pending', hint };
  if (hint !== 'slow_down') throw refusal(body, options);
  const pollingMs = Math.min(session.pollingMs + paceMs.more, paceMs.most);
  return { status: 'pending', hint, pollingMs, state: { ...session, pollingMs } };
}

async function complete(
  tokens: Tokens,
  session: CibaSession,
  client: CibaClient,
): Promise<EidPoll> {
  const { options } = client;
  const info = await requestUserInfo(tokens, session, client);
  const expected = expectedOf(session, options.channel);
  const person = await verifyPerson(info, tokens.idToken, expected, client);
  const { identity, evidence, certificates } = person;
  const common = { status: 'complete', identity, evidence } as const;
  if (session.purpose === 'auth') return common;
  if (session.purpose === 'sign') return { ...common, signature: signatureOf(person, options) };
  const { documentNr } = info;
  if (documentNr === undefined) throw responseFault('the user information: expected documentNr');
  return { ...common, certificates, linked: { documentNr } };
}

function signatureOf({ signature: value, certificates }: VerifiedPerson, { channel }: CibaOptions) {
  if (value === undefined) throw responseFault('the user information: expected a signature');
  if (channel === 'Sim') return { delivery: 'cms', cms: value } as const;
  const algorithm = { name: 'rsa-pkcs1', digest: channelDigests.App } as const;
  return { delivery: 'raw', value, algorithm, certificates } as const;
}
