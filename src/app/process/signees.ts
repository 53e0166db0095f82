import { defined } from '../../base/defined.ts';
import type { ErrorCode } from '../../base/errors.ts';
import {
  actor,
  anyKey,
  invalid,
  isBlank,
  isRecord,
  line,
  object,
  oneOf,
  optional,
  refuse,
  string,
  text,
} from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import { asKey } from '../../domain/keys.ts';
import { claimedNameFault, isMailAddress } from '../../domain/message/index.ts';
import {
  type Refusal,
  type SigneeChange,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence.ts';
import { operation } from '../operation.ts';
import { requireProcess } from '../required.ts';
import {
  decideIn,
  outcomeOf,
  type ProcessGroup,
  refusalError,
  requireAccepted,
  requireGroup,
  runCommand,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';
import {
  buildSignee,
  mostSignees,
  readSigneeRequest,
  requireChannels,
  requireIdentity,
  requireNumber,
  type SigneeRequest,
} from './build-signees.ts';
import type { CreatePorts } from './create.ts';
import { requireCompanyFlow } from './read.ts';

/**
 * Validates a change of a signee, each member as for a new signee. Missing and empty members leave
 * the value unchanged; unknown members are ignored.
 *
 * @throws validation.error
 */
function readSigneeChange(value: unknown, path: string): SigneeChange {
  if (!isRecord(value)) return refuse(path, 'an object', value);
  const change = value as SigneeChange;
  const { email } = change;
  if (email !== undefined && !isMailAddress(String(email).trim())) {
    invalid(`${path}.email`, 'expected an e-mail address');
  }
  const read = (name: Exclude<keyof SigneeChange, 'reason'>) =>
    line(change[name], `${path}.${name}`);
  return defined({
    email: read('email'),
    address: read('address'),
    postalCode: read('postalCode'),
    city: read('city'),
    user: read('user'),
    reason: text(change.reason, `${path}.reason`),
  });
}

/**
 * Restricts a signee added by the holder of a link: the request sets no owner and no text for
 * messages of the company, and the name contains nothing that mail programs turn into a link and no
 * invisible characters.
 *
 * @throws validation.error
 */
function readLinkRequest({ user: _owner, ...request }: SigneeRequest): SigneeRequest {
  const { name, customSmsText } = request;
  if (!isBlank(customSmsText)) {
    invalid('signee.customSmsText', 'only the company can set message texts: expected none');
  }
  const fault = isBlank(name) ? undefined : claimedNameFault(name);
  return fault === undefined ? request : invalid('signee.name', fault);
}

/** Origin of a change of signees: the company, or the holder of a signee's link. */
export type ChangedFrom = 'company' | 'place';

/** Common members of a change of signees. From a link, `by` could be anything and is ignored. */
const ofSignees = {
  key: anyKey,
  by: actor,
  from: optional(oneOf(['company', 'place'] as const)),
} as const;

/** The actor for the log: the caller if authenticated, otherwise the service. */
function actorFrom(from: ChangedFrom | undefined, by: string): string {
  return from === 'place' ? systemActor : by;
}

/** Operations that change signees. */
export const signeeOperations = {
  /**
   * Adds a signee. With `from` 'place', limits apply and a custom message text is rejected.
   *
   * @example
   * await acme.processes.addSignee({ key, by: user, signee: { name: 'Dora', email } });
   */
  addSignee: operation(object({ ...ofSignees, signee: readSigneeRequest }), {
    errors: [
      'process.not_found',
      'error.signee.wrong.route',
      'error.signee.process.finished',
      'error.signee.add.exists',
      'signing.forbidden.blocked',
      'signing.forbidden.signee.limit',
      'signing.forbidden.document.signed',
      'message.channel.none',
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
  }),
  /**
   * Changes the contact details of a signee. Missing and empty members leave the value unchanged.
   *
   * In a sequence, a new mail address applies to the person in all documents not yet signed by
   * them: one invitation is sent to it, and none to the old address. In documents that require a
   * login, only the company can change it this way: access to a different document grants no access
   * to them. If one document does not allow the new address, nothing is changed.
   *
   * @example
   * await acme.processes.updateSignee({ key, signeeKey, by: user, change: { email } });
   */
  updateSignee: operation(object({ ...ofSignees, signeeKey: string, change: readSigneeChange }), {
    errors: [
      'process.not_found',
      'error.signee.not_found',
      'error.signee.add.exists',
      'signing.forbidden.canceled',
      'signing.forbidden.expired',
      'signing.forbidden.blocked',
      'signing.forbidden.signee.signed',
      'signing.forbidden.signee.limit',
    ],
    run: async (ports: ServicePorts, companyKey, { key, signeeKey, change: given, by, from }) => {
      const { user, ...change } = given;
      const known = await ports.store.read((unit) => requireProcess(unit, companyKey, key));
      const place = { processKey: known.key, signeeKey: asKey('signee', signeeKey) };
      const owned = from === 'place' || user === undefined ? change : { ...change, user };
      return changeSignee(ports, place, owned, actorFrom(from, by), from);
    },
  }),
};

async function changeSignee(
  ports: ServicePorts,
  place: SigningKey,
  change: SigneeChange,
  by: string,
  from: ChangedFrom | undefined,
): Promise<SigningProcess> {
  const { processKey, signeeKey } = place;
  const outcome = await ports.store.write(async (unit) => {
    const group = await requireGroup(unit, ports, processKey);
    const isByLink = from === 'place';
    const own = { type: 'updateSignee', signeeKey, change, by, isByLink } as const;
    const refusal = await decideIn(unit, ports, group, processKey, own);
    const { email } = change;
    for (const other of refusal === undefined ? otherPlaces(group, place) : []) {
      if (email === undefined) break;
      if (from === 'place' && group.get(other.processKey).requiresAuth) continue;
      const theirs = { ...own, signeeKey: other.signeeKey, change: { email } };
      const no = await decideIn(unit, ports, group, other.processKey, theirs);
      // Do not reveal the keys of one document to a caller who has access to another.
      if (no !== undefined && !isOver(no)) {
        const message = 'another document of the sequence does not allow the change';
        throw refusalError({ ...no, message }, group.nowMs);
      }
    }
    await settleGroup(unit, ports, group);
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}

/** Whether the document is signed by the signee or has ended: the address stays unchanged there. */
function isOver({ code }: Refusal): boolean {
  return overCodes.has(code);
}

const overCodes: ReadonlySet<ErrorCode> = new Set([
  'signing.forbidden.signee.signed',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
]);

function otherPlaces({ sequence }: ProcessGroup, { signeeKey }: SigningKey): readonly SigningKey[] {
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((each) => each.signeeKey === signeeKey),
  );
  return person?.signingKeys.filter((each) => each.signeeKey !== signeeKey) ?? [];
}
