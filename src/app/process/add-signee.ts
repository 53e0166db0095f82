import { object, oneOf, optional } from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import { systemActor } from '../../domain/process/index.ts';
import { operation } from '../operation.ts';
import { actor, anyKey } from '../request-texts.ts';
import { runCommand } from '../service/index.ts';
import { closedErrors } from './change-process.ts';
import { buildSignee, readLinkRequest } from './create-request.ts';
import { requireProcess } from './find-process.ts';
import {
  mostSignees,
  requireChannels,
  requireCompanyFlow,
  requireIdentity,
  requireNumber,
} from './new-process.ts';
import { type CreatePorts, readSigneeRequest } from './requests.ts';

/** Who changes the signees of a process: the company, or whoever may open one place. */
export type ChangedFrom = 'company' | 'place';

/** Members of a change of signees; with a link any `by` could be said, and is not believed. */
export const ofSignees = {
  key: anyKey,
  by: actor,
  from: optional(oneOf(['company', 'place'] as const)),
} as const;

/** Who is named in the log: the caller where credentials came, else the service. */
export function actorFrom(from: ChangedFrom | undefined, by: string): string {
  return from === 'place' ? systemActor : by;
}

/** Adds a signee. With `from` 'place' there are bounds, and words for messages are refused. */
export const addSignee = operation(object({ ...ofSignees, signee: readSigneeRequest }), {
  errors: [
    ...closedErrors,
    'error.signee.add.exists',
    'signing.forbidden.canceled',
    'signing.forbidden.document.signed',
    'signing.forbidden.signee.limit',
  ],
  run: async (ports: CreatePorts, companyKey, { key, signee: given, by: user, from }) => {
    const isByLink = from === 'place';
    const request = isByLink ? readLinkRequest(given) : given;
    const { process, flow } = await ports.store.read(async (unit) => {
      const found = await requireProcess(unit, companyKey, key);
      return { process: found, ...(await requireCompanyFlow(unit, companyKey, found.flowKey)) };
    });
    const place = { order: process.signees.length, path: 'signee' };
    const signee = buildSignee(request, place, flow, ports.random);
    requireIdentity(ports, [signee], false);
    requireChannels(ports, [signee]);
    requireNumber(signee, process.requiresAuth, process.policy.signeeIdentity);
    const { maxAdditionalSignees: mostByLink = limits.linkSignees } = flow.settings;
    const bound = isByLink ? { mostByLink } : {};
    const by = actorFrom(from, user);
    const command = { type: 'addSignee', signee, by, most: mostSignees(flow), ...bound } as const;
    return runCommand(ports, process.key, command, process);
  },
});
