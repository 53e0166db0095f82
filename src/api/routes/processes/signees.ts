import { Type } from '@sinclair/typebox';
import { type ChangedFrom, processOperations } from '../../../app/process/index.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { SigneeChange } from '../../../domain/process/index.ts';
import type { ProcessAccess } from '../../plugins/index.ts';
import type { ApiApp } from '../../route.ts';
import { addSignee, signee, signingProcess, text, updateSignee } from '../../schemas/index.ts';
import { circumstancesOf, readSignee, showProcess, showSignee } from '../../shapes/index.ts';
import {
  accessErrors,
  placeIn,
  processParams,
  requireEqual,
  requireSameSignee,
  signeeParams,
} from '../params.ts';
import { routesOf } from '../routes-of.ts';
import { whereOpen } from '../signing/view-access.ts';
import { actor } from './management.ts';

const add = routesOf({ tag: 'Signees', access: 'process' });
// The body is the signee, or the change.
const bodyNames = { signee: '', signees: '', change: '' } as const;

/** Adds the routes that show a process to its signee, and that change and add signees. */
export function registerSignees(app: ApiApp): void {
  add(app, 'GET', '/signing/{ProcessKey}/signee/{SigneeKey}', {
    summary: 'Get a process as a signee',
    description:
      'The data of a signing page. Opening the link is recorded in the log once, unless ' +
      'the company requests it. The company sees every member of all signees (`key` and `url` ' +
      'with the scope `sign`); a signee sees their own, and no key, link or contact data of ' +
      'others (unless the flow has `openLinks`).',
    params: signeeParams,
    query: Type.Object({ UserAgent: text('Client of the signee, for the log.') }),
    answers: { 200: { description: 'The process.', schema: signingProcess } },
    errors: [...accessErrors, 'error.signee.not_found'],
    handle: async ({ params, query, request }) => {
      const place = placeIn(params);
      const access = await app.requireProcess(request, place);
      const { company, signee, by } = access;
      const agent = query.UserAgent ?? request.headers['user-agent'];
      const isShown = request.method !== 'HEAD' && by !== 'company';
      if (signee?.openedAtMs === undefined && isShown) {
        const { ip } = request;
        const circumstances = circumstancesOf({ ip, headers: { 'user-agent': agent } });
        await whereOpen(() => company.signing.openLink({ ...place, circumstances }));
      }
      const process = await company.processes.show({ key: place.processKey });
      return showProcess(process, company.frontEnd, access.viewer);
    },
  });
  registerChange(app);
  registerAdding(app);
}

function registerChange(app: ApiApp): void {
  add(app, 'PUT', '/signing/{ProcessKey}/signee/{SigneeKey}', {
    summary: 'Change contact data of a signee',
    description:
      'Name, national number and phone cannot change. A changed address gets a new invitation. ' +
      'Without credentials of the company the address can change at most three times.',
    params: signeeParams,
    body: updateSignee,
    answers: { 200: { description: 'The signee.', schema: signee } },
    names: bodyNames,
    errors: [...accessErrors, ...processOperations.updateSignee.errors],
    handle: async ({ params, body, request }) => {
      const place = placeIn(params);
      requireEqual('processKey', body.processKey, place.processKey);
      const access = await app.requireProcess(request, place);
      requireSameSignee(access, body.signeeKey, place.signeeKey);
      const { company, viewer } = access;
      const { email, address, postalCode, city, reason, user } = body;
      const { processKey: key, signeeKey } = place;
      const change: SigneeChange = defined({ email, address, postalCode, city, reason, user });
      const origin = { by: actor(user), from: originOf(access) };
      const after = await company.processes.updateSignee({ key, signeeKey, change, ...origin });
      const changed = after.signees.find((each) => each.key === signeeKey);
      if (changed === undefined) {
        throw new InnsigliError('error.signee.not_found', 'the process has no such signee');
      }
      return showSignee(after, changed, company.frontEnd, viewer);
    },
  });
}

function registerAdding(app: ApiApp): void {
  add(app, 'POST', '/signing/{ProcessKey}/signee', {
    summary: 'Add a signee',
    description:
      'The process must be open and not part of a sequence. Without credentials of the company ' +
      'only before the first signature, up to `maxAdditionalSignees` (default 5). The ' +
      'response then has no key and no link: the invitation has them.',
    params: processParams,
    body: addSignee,
    names: bodyNames,
    answers: { 200: { description: 'The new signee.', schema: signee } },
    errors: [...accessErrors, ...processOperations.addSignee.errors],
    handle: async ({ params, body, request }) => {
      const { ProcessKey } = params;
      requireEqual('processKey', body.processKey, ProcessKey);
      const access = await app.requireProcess(request, { processKey: ProcessKey });
      const { company, process } = access;
      if (process.sequenceKey !== undefined) {
        throw new InnsigliError('error.signee.wrong.route', 'the document is part of a sequence');
      }
      const known = new Set(process.signees.map(({ key }) => key));
      const wanted = {
        key: ProcessKey,
        signee: readSignee(body),
        by: actor(body.user),
        from: originOf(access),
      };
      const after = await company.processes.addSignee(wanted);
      const added = after.signees.findLast(({ key }) => !known.has(key));
      if (added === undefined) {
        throw new InnsigliError('internal.unexpected', 'the new signee is not in the process');
      }
      // The sender of an addition by link knows all but key and link, and must not receive these.
      const { key, url, ...said } = showSignee(after, added, company.frontEnd) as SigneeShown;
      return access.viewer.sees === 'all' ? { ...said, key, url } : said;
    },
  });
}

interface SigneeShown {
  readonly key?: string;
  readonly url?: string;
}

function originOf({ by }: ProcessAccess): ChangedFrom {
  return by === 'company' ? 'company' : 'place';
}
