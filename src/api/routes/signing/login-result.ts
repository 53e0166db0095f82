import { authOperations } from '../../../app/auth/index.ts';
import type { ApiApp } from '../../route.ts';
import { addRoute } from '../../route.ts';
import { authResult, pollCustomer } from '../../schemas/index.ts';
import { showPoll } from '../../shapes/index.ts';
import { lookup } from './auth.ts';

/** Adds the route with which a company fetches who has logged in at its flow's page. */
export function registerLoginResult(app: ApiApp): void {
  addRoute(app, {
    method: 'POST',
    path: '/auth/result',
    alsoAt: '/auth/result',
    restsOn: 'signee',
    access: 'company',
    tag: 'Authentication',
    summary: 'Get the person who logged in at the page of a flow',
    description:
      'Once, within 60 seconds, with the code the person brings from `/s/{FlowKey}` of ' +
      'a flow of type Auth.',
    body: authResult,
    answers: { 200: { description: 'The person.', schema: pollCustomer } },
    errors: authOperations.result.errors,
    handle: async ({ body: { lookupType, ...asked }, company, reply }) => {
      const found = await company.auth.result({ ...asked, ...lookup(lookupType) });
      const { customer, isSimulated } = found;
      if (isSimulated) reply.header('x-innsigli-simulated', 'true');
      return showPoll({ state: 'done', customer });
    },
  });
}
