import type { ErrorCode } from '../../base/errors.ts';
import { object, string } from '../../base/input.ts';
import { asKey } from '../../domain/keys.ts';
import type { Refusal, SigneeChange, SigningProcess } from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence/index.ts';
import { operation } from '../operation.ts';
import {
  decideIn,
  outcomeOf,
  type ProcessGroup,
  refusalError,
  requireAccepted,
  requireGroup,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';
import { actorFrom, type ChangedFrom, ofSignees } from './add-signee.ts';
import { closedErrors } from './change-process.ts';
import { readSigneeChange } from './create-request.ts';
import { requireProcess } from './find-process.ts';

/**
 * Changes how a signee is reached; members that are left out or empty stay as they are. In a
 * sequence a new mail address is that of the person in all documents that they have not signed:
 * one invitation goes to it, and none to the old one. Only the company changes it so in documents
 * that ask for a login: another place is no key to them. A document that cannot take the address
 * refuses the whole change.
 */
export const updateSignee = operation(
  object({ ...ofSignees, signeeKey: string, change: readSigneeChange }),
  {
    errors: [
      ...closedErrors,
      'error.signee.not_found',
      'error.signee.add.exists',
      'signing.forbidden.canceled',
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
  },
);

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
      // The keys of one document are not told to who has those of another.
      if (no !== undefined && !isOver(no)) {
        const message = 'another document of the sequence does not take the change';
        throw refusalError({ ...no, message }, group.nowMs);
      }
    }
    await settleGroup(unit, ports, group);
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}

/** What is signed or has ended keeps the address that it has. */
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
