import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { IdentityToolkit } from '../../app/auth/index.ts';
import type { SequenceView } from '../../app/process/index.ts';
import { CoreError } from '../../base/errors.ts';
import { asKey } from '../../domain/keys.ts';
import { invalidField } from '../failure.ts';
import { readCredentials } from '../plugins/index.ts';
import type { CompanyFace } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';
import {
  accessToken,
  passcodeBody,
  pollCustomer,
  sequenceAuthStart,
  sequenceView,
  sequentialSigning,
  startedAuth,
  tokenBody,
} from '../schemas/index.ts';
import {
  circumstancesOf,
  giveToken,
  showPoll,
  showSequence,
  showStartedLogin,
} from '../shapes/index.ts';
import { choiceOf } from './auth.ts';
import type { IdentityApiPorts } from './identity-ports.ts';

const tag = 'Sequences';
const path = '/signing/sequential/{SequenceKey}';
const key = (what: string) => Type.String({ minLength: 1, maxLength: 100, description: what });

/** A sequence in the path. */
export const sequenceParams = Type.Object({ SequenceKey: key('The sequence.') });
/** A person of a sequence in the path. */
export const personParams = Type.Object({
  SequenceKey: key('The sequence.'),
  SequentialSigneeKey: key('The person of the sequence.'),
});

/** Adds the routes with which persons of a sequence come to their documents. */
export function registerSequenceAccess(app: ApiApp, ports: IdentityApiPorts): void {
  const { identity } = ports;
  registerView(app, ports);
  addRoute(app, {
    method: 'POST',
    path: `${path}/auth`,
    access: 'open',
    tag,
    summary: 'Start a login at a sequence by SIM or app',
    params: sequenceParams,
    body: sequenceAuthStart,
    answers: { 200: { description: 'The login was started.', schema: startedAuth } },
    errors: ['process.not_found', 'authentication.error.idp.start'],
    handle: async ({ params, body }) => {
      const sequenceKey = params.SequenceKey;
      if (body.sequenceKey !== undefined && body.sequenceKey !== sequenceKey) {
        throw invalidField('sequenceKey', 'expected the key of the path, found another one');
      }
      const choice = { ...choiceOf(body), loginHint: body.loginHint };
      const wish = { scheme: 'sim-app', sequenceKey, ...choice } as const;
      return showStartedLogin(await identity.startSequenceLogin(wish));
    },
  });
  addRoute(app, {
    method: 'POST',
    path: `${path}/signee/{SequentialSigneeKey}/passcode`,
    access: 'open',
    tag,
    summary: 'Open the documents of a person with a passcode',
    params: personParams,
    body: passcodeBody,
    answers: {
      200: {
        description: 'The sequence; `x-access-token` opens its documents.',
        schema: sequentialSigning,
      },
    },
    errors: [
      'process.passcode.not_valid',
      'process.not_found',
      'error.signee.not_found',
      'process.conflict',
    ],
    handle: async ({ params, body: { passcode }, reply }) => {
      const { SequenceKey: sequenceKey, SequentialSigneeKey: personKey } = params;
      const { token } = await identity.checkPasscode({ sequenceKey, personKey, passcode });
      const { company, view } = await findSequence(ports, sequenceKey);
      giveToken(reply, token);
      return showSequence(view, company.frontEnd);
    },
  });
  registerToken(app, identity);
}

function registerView(app: ApiApp, ports: IdentityApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path,
    access: 'process',
    tag,
    summary: 'A sequence, for one of its persons; finishes a login',
    params: sequenceParams,
    body: sequenceView,
    bodyOptional: true,
    answers: {
      200: {
        description: 'The sequence; after a login `x-access-token` opens its documents.',
        schema: sequentialSigning,
      },
      202: { description: 'The person has not answered yet.', schema: pollCustomer },
    },
    errors: [
      'process.not_found',
      'authentication.credentials.invalid',
      'authentication.token.invalid',
      'authentication.token.scope.invalid',
      'authentication.error.forbidden',
      'authentication.error.signee.logon.mismatch',
      'authentication.poll.too_frequent',
    ],
    handle: async ({ params, body, request, reply }) => {
      const { SequenceKey: sequenceKey } = params;
      const { authRequestId, signeeKey } = body;
      if (authRequestId === undefined) {
        const { company, view } = await requireSequence(app, ports, request, sequenceKey);
        return showSequence(view, company.frontEnd);
      }
      const answer = await ports.identity.pollSequenceLogin({
        ...{ scheme: 'sim-app', token: authRequestId, sequenceKey },
        ...(signeeKey === undefined ? {} : { personKey: signeeKey }),
        circumstances: circumstancesOf(request),
      });
      if (answer.state !== 'done') return reply.code(202).send(showPoll(answer));
      giveToken(reply, answer.accessToken);
      const { company, view } = await findSequence(ports, sequenceKey);
      return showSequence(view, company.frontEnd);
    },
  });
}

function registerToken(app: ApiApp, identity: IdentityToolkit): void {
  addRoute(app, {
    method: 'POST',
    path: `${path}/signee/{SequentialSigneeKey}/token`,
    access: 'company',
    tag,
    summary: 'A token that opens the documents of a person',
    params: personParams,
    body: tokenBody,
    bodyOptional: true,
    answers: { 200: { description: 'The token.', schema: accessToken } },
    errors: ['process.not_found', 'error.signee.not_found'],
    handle: async ({ params, body, company, reply }) => {
      const { SequenceKey: sequenceKey, SequentialSigneeKey: personKey } = params;
      const issued = await identity.issueToken(
        asKey('company', company.company.key),
        { sequenceKey, personKey },
        body.expiresInSeconds,
      );
      reply.header('cache-control', 'no-store');
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

/** A sequence with its company. @throws process.not_found */
export async function findSequence(
  ports: IdentityApiPorts,
  sequenceKey: string,
): Promise<{ readonly company: CompanyFace; readonly view: SequenceView }> {
  const company = await ports.companyOfSequence(sequenceKey);
  return { company, view: await company.processes.showSequence(sequenceKey) };
}

// The rules of a process that asks for a login, for a whole sequence.
async function requireSequence(
  app: ApiApp,
  ports: IdentityApiPorts,
  request: FastifyRequest,
  sequenceKey: string,
): ReturnType<typeof findSequence> {
  const found = await findSequence(ports, sequenceKey);
  const { sequence, processes } = found.view;
  if (!sequence.requiresAuth && !processes.some(({ requiresAuth }) => requiresAuth)) return found;
  const credentials = readCredentials(request);
  if (credentials.kind === 'none') {
    throw new CoreError(
      'authentication.credentials.invalid',
      'the sequence asks for credentials or a token',
    );
  }
  if (credentials.kind === 'basic') {
    const own = await app.requireCompany(request);
    if (own.company.key === found.company.company.key) return found;
    const shown = sequenceKey.slice(0, 40);
    throw new CoreError('process.not_found', `there is no sequence ${shown}`);
  }
  const verdict = await ports.identity.judge(credentials.token, { sequenceKey });
  if (verdict === 'valid') return found;
  if (verdict === 'unknown') {
    throw new CoreError('authentication.token.invalid', 'the token is unknown or has expired');
  }
  throw new CoreError('authentication.token.scope.invalid', 'the token is for something else');
}
