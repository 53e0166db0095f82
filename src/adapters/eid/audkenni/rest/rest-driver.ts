import {
  type EidDriver,
  EidError,
  type EidPoll,
  type EidRequest,
  type EidStarted,
  type EidState,
} from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { requireAssurance, sessionIn } from '../../session.ts';
import { findings } from '../findings.ts';
import { type LoginContent, loginContent, loginHintOf, loginMessage } from '../login-content.ts';
import { usualSessionMs } from '../options.ts';
import { verifyAudkenniEvidence } from '../person/shown-login.ts';
import { verifyPerson } from '../person/verified-person.ts';
import { hashOf } from '../person/verify-signature.ts';
import { runSteps } from '../steps.ts';
import { readTokens, requestUserInfo, type Tokens } from '../tokens/user-info-request.ts';
import { type Callback, fillCallbacks, type PromptName, readCallbacks } from './callbacks.ts';
import {
  type CodeSession,
  findTokenId,
  postChain,
  type RestClient,
  type RestOptions,
  readAuthId,
  readWait,
  requestCode,
  requestTokens,
} from './rest-login.ts';

type RestStep =
  | { readonly name: 'PollingWaitCallback'; readonly authId: string; readonly callback: Callback }
  | { readonly name: 'authorize'; readonly tokenId: string }
  | { readonly name: 'access_token'; readonly code: string }
  | ({ readonly name: 'userinfo' } & Tokens);

interface RestSession extends LoginContent, CodeSession {
  readonly kind: 'audkenni-rest';
  readonly loginHint: string;
  readonly startedAtMs: number;
  readonly step: RestStep;
}

/**
 * Driver of Auðkenni (Iceland) for logins with SIM card and app, using its call-back interface. A
 * chain of messages ends with a session; the session is exchanged for a code, the code for tokens,
 * and the tokens for the signature of the person, which is verified with their certificate.
 *
 * @throws EidError `internalError` from `start` for any purpose other than a login
 */
export function audkenniRestDriver(options: RestOptions): EidDriver {
  return {
    name: 'audkenni-rest',
    channels: ['Sim', 'App'],
    tellsPhone: true,
    answersOnce: true,
    start: (request, environment) => start(request, { options, environment }),
    poll: (state, environment) => poll(state, { options, environment }),
    // The interface has no request for it: the prompt expires by itself.
    cancel: async () => {},
    verifyEvidence: async (evidence, login, trust) =>
      verifyAudkenniEvidence(evidence, login, options, trust),
    check: (environment) => findings({ options, environment }),
  };
}

async function start(request: EidRequest, client: RestClient): Promise<EidStarted> {
  const { options, environment } = client;
  if (request.purpose !== 'auth') {
    throw new EidError('internalError', 'this interface is for logins only');
  }
  requireAssurance(request, options);
  const loginHint = loginHintOf(request);
  const content = loginContent(request, client);
  const begun = await postChain({}, {}, client);
  const callbacks = fillCallbacks(
    readCallbacks(begun.body),
    answersOf(loginHint, content, options),
    options.prompts,
  );
  const message = { authId: readAuthId(begun.body), callbacks };
  const asked = await postChain(message, begun.cookies, client);
  const { authId, callback, waitMs } = readWait(asked.body);
  const nowMs = environment.now();
  const random = (count: number) => Buffer.from(environment.random(count)).toString('base64url');
  const session: RestSession = {
    kind: 'audkenni-rest',
    ...content,
    loginHint,
    state: random(16),
    nonce: random(16),
    verifier: random(32),
    startedAtMs: nowMs,
    cookies: asked.cookies,
    step: { name: 'PollingWaitCallback', authId, callback },
  };
  return {
    state: stateOf(session),
    challenge: defined({ verificationCode: content.verificationCode }),
    pollingMs: waitMs,
    expiresAtMs: nowMs + (options.sessionMs ?? usualSessionMs),
  };
}

function answersOf(
  loginHint: string,
  content: LoginContent,
  options: RestOptions,
): Readonly<Record<PromptName, string>> {
  return {
    clientId: options.clientId,
    relatedParty: options.relatedParty ?? '',
    appTitle: options.appTitle ?? '',
    user: loginHint,
    message: content.text,
    offersCodes: String(options.offersCodes ?? false),
    confirmsMessage: String(options.confirmsMessage ?? false),
    hash: Buffer.from(hashOf(content.digest, loginMessage(content)).value).toString('base64'),
    method: content.channel.toLowerCase(),
  };
}

async function poll(state: EidState, client: RestClient): Promise<EidPoll> {
  let session = sessionIn<RestSession>(state, 'audkenni-rest');
  const advance = async (step: RestStep): Promise<RestStep | EidPoll> => {
    if (step.name === 'PollingWaitCallback') {
      const { authId, callback } = step;
      const message = { authId, callbacks: [callback] };
      const answer = await postChain(message, session.cookies, client);
      session = { ...session, cookies: answer.cookies };
      const tokenId = findTokenId(answer.body);
      if (tokenId !== undefined) return { name: 'authorize', tokenId };
      const { waitMs, ...wait } = readWait(answer.body);
      const waiting = stateOf({ ...session, step: { name: 'PollingWaitCallback', ...wait } });
      return { status: 'pending', hint: step.name, state: waiting, pollingMs: waitMs };
    }
    if (step.name === 'authorize') {
      const code = await requestCode(step.tokenId, session, client);
      return { name: 'access_token', code };
    }
    if (step.name === 'access_token') {
      const body = await requestTokens(step.code, session, client);
      return { name: 'userinfo', ...readTokens(body) };
    }
    return complete(step, session, client);
  };
  return runSteps(session.step, advance, (step) => stateOf({ ...session, step }));
}

async function complete(
  tokens: Tokens,
  session: RestSession,
  client: RestClient,
): Promise<EidPoll> {
  const info = await requestUserInfo(tokens, session, client);
  const message = loginMessage(session);
  const expected = {
    channel: session.channel,
    purpose: 'auth',
    loginHint: session.loginHint,
    hash: hashOf(session.digest, message),
    message,
  } as const;
  const person = await verifyPerson(info, tokens.idToken, expected, client);
  return { status: 'complete', identity: person.identity, evidence: person.evidence };
}

/** The session as stored by the caller. */
function stateOf(session: RestSession): EidState {
  return { ...session };
}
