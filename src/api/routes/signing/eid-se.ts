import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import {
  identityOperations,
  type LoginFailure,
  type StartedLogin,
} from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import type { EidFailCode } from '../../../domain/auth/index.ts';
import { errorBody } from '../../failure.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  foreignQuery,
  foreignStart,
  pathKey,
  pollCustomer,
  startedForeign,
} from '../../schemas/index.ts';
import { showPoll } from '../../shapes/index.ts';
import { routesOf } from '../routes-of.ts';
import { lookup } from './auth.ts';
import { startedBy, startedByErrors } from './view-access.ts';

const add = routesOf({ tag: 'Authentication', access: 'open' });
const scheme = 'eid-se';

const tokenParams = Type.Object({ Token: pathKey('From the start.') });

/** Adds the routes that log persons in with the foreign e-ID `eid-se`. */
export function registerEidSe(app: ApiApp, { identity }: ApiPorts): void {
  add(app, 'POST', '/auth/eid-se/start', {
    alsoAt: '/auth/eid-se/start',
    restsOn: scheme,
    summary: 'Start a login with eid-se',
    description:
      'Open the app with `autoStartToken` or show `qrData` as a QR code, and poll with `token`. ' +
      'The app shows the name of the flow; `userVisibleText` is used only ' +
      'with the credentials of its company.',
    body: foreignStart,
    bodyOptional: true,
    answers: { 200: { description: 'The login was started.', schema: startedForeign } },
    errors: ['eid.provider.error', ...identityOperations.startLogin.errors, ...startedByErrors],
    handle: async ({ body, request }) => {
      const { flowKey, endUserIp, returnUrl, userVisibleText: text, loginHint = '' } = body;
      const started = await identity.startLogin({
        ...{ scheme, channel: 'App', loginHint, includeVerificationCode: false },
        ...defined({ flowKey, text, endUserIp, returnUrl }),
        ...(await startedBy(app, request)),
      });
      return showForeignStart(started);
    },
  });
  add(app, 'GET', '/auth/eid-se/status/token/{Token}', {
    alsoAt: '/auth/eid-se/status/token/{Token}',
    restsOn: scheme,
    summary: 'Get the status of a login with eid-se',
    description: failureCodes,
    params: tokenParams,
    query: foreignQuery,
    answers: { 200: { description: 'The status of the login.', schema: pollCustomer } },
    errors: identityOperations.pollLogin.errors,
    handle: async ({ params, query, reply }) => {
      const poll = { scheme, token: params.Token, flowKey: query.FlowKey } as const;
      const answer = await identity.pollLogin({ ...poll, ...lookup(query.LookupType) });
      return answer.state === 'failed' ? answerFailure(reply, answer) : showPoll(answer);
    },
  });
}

/** A started session in the names of the API. */
export function showForeignStart(started: StartedLogin): object {
  const { token, autoStartToken, qrData, redirectUrl, pollingIntervalSeconds } = started;
  const prompt = { token, autoStartToken, qrData, redirectUrl };
  return defined({ ...prompt, pollingInterval: pollingIntervalSeconds });
}

/** Reasons for a failed login, by the codes of the scheme. */
const failureWords: Readonly<Record<EidFailCode, string>> = {
  userCancel: 'the person cancelled',
  userDeclinedCall: 'the person declined the request',
  expiredTransaction: 'the person did not respond in time',
  startFailed: 'the app of the person could not be started',
  cancelled: 'the login was cancelled, or replaced by another',
  alreadyInProgress: 'another login of the person was in progress; both have ended',
  wrongVerificationCode: 'the person chose a different code',
  certificateErr: 'the identity of the person is blocked or revoked',
  accountUnusable: 'the person must renew or fix their identity at the provider',
  notAUser: 'the person is not registered with the provider',
  unreachable: 'the device of the person cannot be reached',
  appNotSupported: 'the app of the person is too old',
  riskBlocked: 'the provider refused the login as too risky',
  identityMismatch: 'a different person responded',
  assuranceTooLow: 'the identity of the person has too low a level',
  invalidResponse: 'the response of the provider failed verification',
  providerUnavailable: 'the provider cannot be reached',
  internalError: 'the login could not be completed: start it again',
};

/** Codes of a failed login, for the description of its route. */
export const failureCodes = `A failure is 403 with one of these codes, and in \`meta.providerCode\`
the code of the provider, if any:
${Object.entries(failureWords)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n')}`;

/** Responds with 403 and the scheme's code as error code; the provider's own code is in `meta`. */
export function answerFailure(
  reply: FastifyReply,
  { hint, providerCode }: LoginFailure,
): FastifyReply {
  const known = Object.hasOwn(failureWords, hint);
  const message = known ? failureWords[hint as EidFailCode] : 'the provider refused the login';
  return reply.code(403).send(errorBody(hint, message, { providerCode }));
}
