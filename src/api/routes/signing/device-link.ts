import { identityOperations } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { asKey } from '../../../domain/keys.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  deviceLinkPoll,
  deviceLinkStart,
  pollDeviceLink,
  startedDeviceLink,
} from '../../schemas/index.ts';
import { circumstancesOf, showPoll } from '../../shapes/index.ts';
import { routesOf } from '../routes-of.ts';
import { lookup } from './auth.ts';

const add = routesOf({ tag: 'Authentication', access: 'company' });
const scheme = 'device-link';

/** Adds the routes that log persons in by a link or QR code, without a number. */
export function registerDeviceLink(app: ApiApp, { identity }: ApiPorts): void {
  add(app, 'POST', '/auth/devicelink/start', {
    alsoAt: '/auth/devicelink/start',
    restsOn: scheme,
    summary: 'Start a login by device link',
    description: 'By QR code or a link on the same device. The certificate identifies the person.',
    body: deviceLinkStart,
    answers: { 200: { description: 'The login was started.', schema: startedDeviceLink } },
    errors: ['eid.provider.error', ...identityOperations.startLogin.errors],
    handle: async ({ body: { flowKey, returnUrl, loginHint = '' }, company, request }) => {
      const started = await identity.startLogin({
        scheme,
        flowKey,
        companyKey: asKey('company', company.company.key),
        channel: 'App',
        loginHint,
        includeVerificationCode: false,
        circumstances: circumstancesOf(request),
        ...defined({ returnUrl }),
      });
      return {
        sessionId: started.token,
        deviceLinkUrl: started.qrData ?? '',
        pollingInterval: started.pollingIntervalSeconds,
      };
    },
  });
  add(app, 'POST', '/auth/devicelink/poll', {
    alsoAt: '/auth/devicelink/poll',
    restsOn: scheme,
    summary: 'Get the status of a login by device link',
    description: '`deviceLinkUrl` is new in each response until the person has responded.',
    body: deviceLinkPoll,
    answers: { 200: { description: 'The status of the login.', schema: pollDeviceLink } },
    errors: identityOperations.pollLogin.errors,
    handle: async ({ body: { sessionId, flowKey, lookupType }, company }) => {
      const companyKey = asKey('company', company.company.key);
      const poll = { scheme, token: sessionId, flowKey, companyKey } as const;
      const answer = await identity.pollLogin({ ...poll, ...lookup(lookupType) });
      const deviceLinkUrl = answer.state === 'waiting' ? answer.link : undefined;
      return defined({ ...showPoll(answer), deviceLinkUrl });
    },
  });
}
