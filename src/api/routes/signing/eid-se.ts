import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { identityOperations, type StartedLogin } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { errorBody } from '../../failure.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { foreignQuery, foreignStart, pollCustomer, startedForeign } from '../../schemas/index.ts';
import { showPoll } from '../../shapes/index.ts';
import { lookup } from './auth.ts';
import { startedBy, startedByErrors } from './view-access.ts';

const tag = 'Authentication';
const scheme = 'eid-se';

const tokenParams = Type.Object({
  Token: Type.String({ minLength: 1, maxLength: 100, description: 'From the start.' }),
});

/** Adds the routes that log persons in with the foreign identity `eid-se`. */
export function registerEidSe(app: ApiApp, { identity }: ApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path: '/auth/eid-se/start',
    alsoAt: '/auth/eid-se/start',
    restsOn: scheme,
    access: 'open',
    tag,
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
  addRoute(app, {
    method: 'GET',
    path: '/auth/eid-se/status/token/{Token}',
    alsoAt: '/auth/eid-se/status/token/{Token}',
    restsOn: scheme,
    access: 'open',
    tag,
    summary: 'Get the status of a login with eid-se',
    description: 'A failure is 403 with the code of the provider, such as `userCancel`.',
    params: tokenParams,
    query: foreignQuery,
    answers: { 200: { description: 'The status of the login.', schema: pollCustomer } },
    errors: identityOperations.pollLogin.errors,
    handle: async ({ params, query, reply }) => {
      const poll = { scheme, token: params.Token, flowKey: query.FlowKey } as const;
      const answer = await identity.pollLogin({ ...poll, ...lookup(query.LookupType) });
      return answer.state === 'failed' ? answerHint(reply, answer.hint) : showPoll(answer);
    },
  });
}

/** A started session in the words of the interface. */
export function showForeignStart(started: StartedLogin): object {
  return defined({
    token: started.token,
    autoStartToken: started.autoStartToken,
    qrData: started.qrData,
    redirectUrl: started.redirectUrl,
    pollingInterval: started.pollingIntervalSeconds,
  });
}

const sentences: Readonly<Record<string, string>> = {
  userCancel: 'the person has cancelled',
  expiredTransaction: 'the person did not respond in time',
  startFailed: 'the app of the person could not be started',
};

/** Answers 403 with the word of the provider as error code: words are the provider's to choose. */
export function answerHint(reply: FastifyReply, hint: string): FastifyReply {
  const message = sentences[hint] ?? 'the provider refused the login';
  return reply.code(403).send(errorBody(hint, message));
}
