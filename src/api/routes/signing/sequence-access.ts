import { type IdentityService, identityOperations } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { sequenceLinkViewer } from '../../../domain/access.ts';
import { asKey } from '../../../domain/keys.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  accessToken,
  passcodeBody,
  pollCustomer,
  sequenceAuthStart,
  sequenceView,
  sequentialSigning,
  startedAuth,
  tokenBody,
} from '../../schemas/index.ts';
import {
  circumstancesOf,
  giveToken,
  showPoll,
  showSequence,
  showStartedLogin,
} from '../../shapes/index.ts';
import { accessErrors, personParams, requireEqual, sequenceParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';
import { choiceOf } from './auth.ts';
import { startedBy, startedByErrors } from './view-access.ts';

const add = routesOf({ tag: 'Sequences', access: 'open' });
const path = '/signing/sequential/{SequenceKey}';

/** Adds the routes with which persons of a sequence access their documents. */
export function registerSequenceAccess(app: ApiApp, ports: ApiPorts): void {
  const { identity } = ports;
  registerView(app, ports);
  add(app, 'POST', `${path}/auth`, {
    restsOn: 'sim-app',
    summary: 'Start a login at a sequence by SIM or app',
    params: sequenceParams,
    body: sequenceAuthStart,
    answers: { 200: { description: 'The login was started.', schema: startedAuth } },
    errors: [
      'authentication.error.idp.start',
      ...identityOperations.startSequenceLogin.errors,
      ...startedByErrors,
    ],
    handle: async ({ params, body, request }) => {
      const sequenceKey = params.SequenceKey;
      requireEqual('sequenceKey', body.sequenceKey, sequenceKey);
      const choice = { ...choiceOf(body), loginHint: body.loginHint };
      const by = await startedBy(app, request);
      const login = { scheme: 'sim-app', sequenceKey, ...by, ...choice } as const;
      return showStartedLogin(await identity.startSequenceLogin(login));
    },
  });
  add(app, 'POST', `${path}/signee/{SequentialSigneeKey}/passcode`, {
    summary: 'Get access with a passcode',
    description:
      'The passcode set for the signee. Without it no data of the person is visible to ' +
      'links. Five incorrect passcodes in 15 minutes block the client, fewer if many are ' +
      'incorrect.',
    params: personParams,
    body: passcodeBody,
    answers: {
      200: {
        description: 'The sequence; `x-access-token` grants access to its documents.',
        schema: sequentialSigning,
      },
    },
    errors: identityOperations.checkPasscode.errors,
    handle: async ({ params, body: { passcode }, request, reply }) => {
      const { SequenceKey: sequenceKey, SequentialSigneeKey: personKey } = params;
      const { ip } = request;
      const { token } = await identity.checkPasscode({ sequenceKey, personKey, passcode, ip });
      giveToken(reply, token);
      return showToPerson(ports, sequenceKey, personKey);
    },
  });
  registerToken(app, identity);
}

function registerView(app: ApiApp, ports: ApiPorts): void {
  add(app, 'POST', path, {
    restsOn: 'signee',
    access: 'process',
    summary: 'Get a sequence as one of its persons, or finish a login',
    description:
      'With `signeeKey` or a token, the entry of that person is complete, and the others have ' +
      'name and state; otherwise only names and states. With `authRequestId` it finishes that ' +
      'login and returns 202 until the person has responded.',
    params: sequenceParams,
    body: sequenceView,
    bodyOptional: true,
    answers: {
      200: {
        description: 'The sequence; after a login `x-access-token` grants access to its documents.',
        schema: sequentialSigning,
      },
      202: { description: 'The person has not responded yet.', schema: pollCustomer },
    },
    errors: [
      ...accessErrors,
      'error.signee.not_found',
      'authentication.error.forbidden',
      'authentication.error.signee.logon.mismatch',
      'authentication.poll.too_frequent',
    ],
    handle: async ({ params, body, request, reply }) => {
      const { SequenceKey: sequenceKey } = params;
      const { authRequestId, signeeKey } = body;
      if (authRequestId === undefined) {
        const access = await app.requireSequence(request, sequenceKey, signeeKey);
        return showSequence(access.view, access.company.frontEnd, access.viewer);
      }
      app.markSimulated(reply, 'sim-app');
      const answer = await ports.identity.pollSequenceLogin({
        ...{ scheme: 'sim-app', token: authRequestId, sequenceKey },
        ...defined({ personKey: signeeKey }),
        circumstances: circumstancesOf(request),
      });
      if (answer.state !== 'done') return reply.code(202).send(showPoll(answer));
      giveToken(reply, answer.accessToken);
      return showToPerson(ports, sequenceKey, answer.personKey);
    },
  });
}

function registerToken(app: ApiApp, identity: IdentityService): void {
  add(app, 'POST', `${path}/signee/{SequentialSigneeKey}/token`, {
    access: 'company',
    summary: 'Create an access token for a person',
    description: 'For your own pages: send it as Bearer token or in `x-access-token`.',
    params: personParams,
    body: tokenBody,
    bodyOptional: true,
    answers: { 200: { description: 'The token.', schema: accessToken } },
    errors: identityOperations.issueToken.errors,
    handle: async ({ params, body, company }) => {
      const { SequenceKey: sequenceKey, SequentialSigneeKey: personKey } = params;
      const issued = await identity.issueToken(
        asKey('company', company.company.key),
        { sequenceKey, personKey },
        body.expiresInSeconds,
      );
      return {
        accessToken: issued.token,
        tokenType: 'Bearer',
        expiresIn: issued.expiresInSeconds,
        expiresAt: new Date(issued.expiresAtMs).toISOString(),
        sequenceKey,
        signeeKey: personKey,
      };
    },
  });
}

/** Returns a sequence for a person who has authenticated. @throws process.not_found */
export async function showToPerson(
  ports: ApiPorts,
  sequenceKey: string,
  personKey: string,
): Promise<object> {
  const company = await ports.companyOfSequence(sequenceKey);
  const view = await company.processes.showSequence({ key: sequenceKey });
  return showSequence(view, company.frontEnd, sequenceLinkViewer(view.processes, personKey));
}
