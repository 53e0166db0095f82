import { identityOperations } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  pollSequence,
  sequenceForeignPoll,
  sequenceForeignStart,
  startedForeign,
} from '../../schemas/index.ts';
import { circumstancesOf, giveToken, showPoll } from '../../shapes/index.ts';
import { personParams, sequenceParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';
import { answerFailure, failureCodes, showForeignStart } from './eid-se.ts';
import { showToPerson } from './sequence-access.ts';
import { startedBy, startedByErrors } from './view-access.ts';

const add = routesOf({ tag: 'Sequences', access: 'open' });
const path = '/signing/sequential/{SequenceKey}';
const scheme = 'eid-se';
const start = { scheme, channel: 'App', includeVerificationCode: false } as const;
const startErrors = [
  'eid.provider.error',
  ...identityOperations.startSequenceLogin.errors,
  ...startedByErrors,
] as const;
const answers = { 200: { description: 'The login was started.', schema: startedForeign } };

/** Adds the routes that log persons of a sequence in with `eid-se`. */
export function registerSequenceEidSe(app: ApiApp, ports: ApiPorts): void {
  const { identity } = ports;
  add(app, 'POST', `${path}/signee/{SequentialSigneeKey}/auth/eid-se/start`, {
    restsOn: scheme,
    summary: 'Start a login of a person of a sequence with eid-se',
    params: personParams,
    body: sequenceForeignStart,
    bodyOptional: true,
    answers,
    errors: ['error.signee.not_found', 'authentication.error.signee.unprovable', ...startErrors],
    handle: async ({ params, body: { loginHint = '', ...back }, request }) => {
      const { SequenceKey: sequenceKey, SequentialSigneeKey: personKey } = params;
      const by = await startedBy(app, request);
      const login = { ...start, sequenceKey, personKey, loginHint, ...by, ...back };
      return showForeignStart(await identity.startSequenceLogin(login));
    },
  });
  add(app, 'POST', `${path}/auth/eid-se/start`, {
    restsOn: scheme,
    summary: 'Start a login at a sequence with eid-se (being retired)',
    deprecated: true,
    description: 'Replaced by the route with the person in the path.',
    params: sequenceParams,
    body: sequenceForeignStart,
    bodyOptional: true,
    answers,
    errors: startErrors,
    handle: async ({ params, body: { loginHint = '', ...back }, request }) => {
      const { SequenceKey: sequenceKey } = params;
      const by = await startedBy(app, request);
      const login = { ...start, sequenceKey, loginHint, ...by, ...back };
      return showForeignStart(await identity.startSequenceLogin(login));
    },
  });
  registerPoll(app, ports);
}

function registerPoll(app: ApiApp, ports: ApiPorts): void {
  add(app, 'POST', `${path}/auth/eid-se/poll`, {
    restsOn: scheme,
    summary: 'Get the status of a login at a sequence with eid-se',
    description: failureCodes,
    params: sequenceParams,
    body: sequenceForeignPoll,
    answers: {
      200: {
        description: 'The status; when done, `x-access-token` grants access to the documents.',
        schema: pollSequence,
      },
    },
    errors: identityOperations.pollSequenceLogin.errors,
    handle: async ({ params, body, request, reply }) => {
      const { SequenceKey: sequenceKey } = params;
      const { token, signeeKey } = body;
      const answer = await ports.identity.pollSequenceLogin({
        ...{ scheme, token, sequenceKey },
        ...defined({ personKey: signeeKey }),
        circumstances: circumstancesOf(request),
      });
      if (answer.state === 'failed') return answerFailure(reply, answer);
      const shown = showPoll(answer);
      if (answer.state === 'waiting') return shown;
      giveToken(reply, answer.accessToken);
      const sequentialSigning = await showToPerson(ports, sequenceKey, answer.personKey);
      return defined({ ...shown, sequentialSigning });
    },
  });
}
