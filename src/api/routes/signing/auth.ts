import type { FastifyRequest } from 'fastify';
import { type IdentityService, identityOperations } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { invalid } from '../../../base/input.ts';
import { linkViewer } from '../../../domain/access.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  authPoll,
  authStart,
  customer,
  oldAuth,
  pollCustomer,
  pollSignee,
  processAuthStart,
  signeeAuthPoll,
  signeeAuthStart,
  startedAuth,
} from '../../schemas/index.ts';
import {
  circumstancesOf,
  customerOf,
  giveToken,
  showPoll,
  showProcess,
  showStartedLogin,
} from '../../shapes/index.ts';
import { processParams, requireEqual } from '../params.ts';
import { routesOf } from '../routes-of.ts';
import { startedBy, startedByErrors } from './view-access.ts';

const add = routesOf({ tag: 'Authentication', access: 'open' });
const WAIT_MS = 200_000;
const startAnswers = { 200: { description: 'The login was started.', schema: startedAuth } };

/** Adds the routes that log persons in by SIM or app. */
export function registerAuth(app: ApiApp, { identity }: ApiPorts): void {
  add(app, 'POST', '/auth/start', {
    alsoAt: '/auth/start',
    restsOn: 'sim-app',
    summary: 'Start a login by SIM or app',
    description:
      'Asks the person on their phone. Show `verificationCode`, and poll every ' +
      '`pollingInterval` seconds.',
    body: authStart,
    answers: startAnswers,
    errors: [
      'authentication.error.idp.start',
      ...identityOperations.startLogin.errors,
      ...startedByErrors,
    ],
    handle: async ({ body, request }) => {
      const channel = body.authenticationContextType;
      const own = channel === 'Sim' ? body.phoneNumber : body.ssn;
      const started = await identity.startLogin({
        scheme: 'sim-app',
        flowKey: body.flowKey,
        channel,
        loginHint: requiredHint(channel, own, body.loginHint),
        includeVerificationCode: body.includeVerificationCode === true,
        ...(await startedBy(app, request)),
      });
      return showStartedLogin(started);
    },
  });
  add(app, 'POST', '/auth/poll', {
    alsoAt: '/auth/poll',
    restsOn: 'sim-app',
    summary: 'Get the status of a login',
    description:
      '`waitingForUserInput` is true until the person has responded; then `customer` is set. ' +
      'A login that was refused or not answered within 180 seconds gets 403.',
    body: authPoll,
    answers: { 200: { description: 'The status of the login.', schema: pollCustomer } },
    errors: identityOperations.pollLogin.errors,
    handle: async ({ body: { authRequestId, flowKey, lookupType } }) => {
      const poll = { scheme: 'sim-app', token: authRequestId, flowKey } as const;
      return showPoll(await identity.pollLogin({ ...poll, ...lookup(lookupType) }));
    },
  });
  registerOldAuth(app, identity);
  registerSigneeAuth(app, identity);
  registerSigneePoll(app, identity);
}

function registerOldAuth(app: ApiApp, identity: IdentityService): void {
  add(app, 'POST', '/auth', {
    alsoAt: '/auth',
    restsOn: 'sim-app',
    summary: 'Log in by SIM and wait for the response (old)',
    deprecated: true,
    description: 'Responds when the person has answered, after at most 180 seconds.',
    body: oldAuth,
    answers: { 200: { description: 'The person.', schema: customer } },
    errors: [...identityOperations.waitForLogin.errors, ...startedByErrors],
    handle: async ({ body: { phoneNumber, flowKey, lookupType }, request }) => {
      // Longer than a login is valid: the connection is idle meanwhile.
      request.raw.socket?.setTimeout?.(WAIT_MS);
      const wait = (ms: number) => waitFor(ms, request);
      const caller = await startedBy(app, request);
      return identity.waitForLogin({
        phoneNumber,
        flowKey,
        wait,
        ...lookup(lookupType),
        ...caller,
      });
    },
  });
}

function registerSigneeAuth(app: ApiApp, identity: IdentityService): void {
  const startErrors = [...identityOperations.startSigneeLogin.errors, ...startedByErrors];
  add(app, 'POST', '/signing/auth/start', {
    restsOn: 'sim-app',
    summary: 'Start a login of a signee by SIM or app',
    description:
      'Grants access to a process that requires a login. Poll every `pollingInterval` seconds.',
    body: signeeAuthStart,
    answers: startAnswers,
    errors: startErrors,
    handle: async ({ body, request }) => {
      const { processKey, signeeKey } = body;
      const started = await identity.startSigneeLogin({
        ...{ processKey, signeeKey, ...(await startedBy(app, request)) },
        ...choiceOf(body),
      });
      return showStartedLogin(started);
    },
  });
  add(app, 'POST', '/signing/{ProcessKey}/auth', {
    restsOn: 'sim-app',
    summary: 'Start a login at a process by SIM or app',
    description: 'As the login of a signee; the login hint may identify the signee.',
    params: processParams,
    body: processAuthStart,
    answers: startAnswers,
    errors: startErrors,
    handle: async ({ params, body, request }) => {
      const processKey = params.ProcessKey;
      requireEqual('processKey', body.processKey, processKey);
      const started = await identity.startSigneeLogin({
        ...{ processKey, ...(await startedBy(app, request)) },
        ...defined({ signeeKey: body.signeeKey }),
        ...choiceOf(body),
      });
      return showStartedLogin(started);
    },
  });
}

function registerSigneePoll(app: ApiApp, identity: IdentityService): void {
  add(app, 'POST', '/signing/auth/poll', {
    restsOn: 'sim-app',
    summary: 'Get the status of a login of a signee',
    description:
      'When done, the response has the process, and `x-access-token` grants access to it.',
    body: signeeAuthPoll,
    answers: {
      200: {
        description: 'The status; when done, `x-access-token` grants access to the process.',
        schema: pollSignee,
      },
    },
    errors: identityOperations.pollSigneeLogin.errors,
    handle: async ({ body, request, reply }) => {
      const { authRequestId: token, ...place } = body;
      const circumstances = circumstancesOf(request);
      const answer = await identity.pollSigneeLogin({ ...place, token, circumstances });
      const shown = showPoll(answer, customerOf(answer));
      if (answer.state !== 'done') return shown;
      giveToken(reply, answer.accessToken);
      const viewer = linkViewer(answer.process, answer.signeeKey);
      return { ...shown, signingProcess: showProcess(answer.process, identity.frontEnd, viewer) };
    },
  });
}

/** The channel and number of a person from a body. */
export function choiceOf(body: {
  readonly authenticationContextType: 'Sim' | 'App';
  readonly loginHint?: string;
  readonly includeVerificationCode?: boolean;
}) {
  const { authenticationContextType: channel, loginHint, includeVerificationCode } = body;
  return {
    channel,
    ...defined({ loginHint }),
    includeVerificationCode: includeVerificationCode === true,
  };
}

/** An object with the scope of the lookup, if one was requested. */
export function lookup<T extends string>(type: T | undefined): { readonly lookup?: T } {
  return defined({ lookup: type }) as { readonly lookup?: T };
}

function requiredHint(channel: 'Sim' | 'App', ...hints: readonly (string | undefined)[]): string {
  const given = hints.find((each) => each !== undefined && each.trim() !== '');
  if (given !== undefined) return given;
  invalid(
    channel === 'Sim' ? 'phoneNumber' : 'ssn',
    `expected a number for ${channel}, found none`,
  );
}

// Resolves early when the client disconnects: the response would reach no one.
function waitFor(ms: number, request: FastifyRequest): Promise<void> {
  const { socket } = request.raw;
  return new Promise((resolve, reject) => {
    const gone = () => {
      clearTimeout(timer);
      reject(new Error('the client disconnected'));
    };
    const timer = setTimeout(() => {
      socket?.off('close', gone);
      resolve();
    }, ms);
    socket?.once('close', gone);
  });
}
