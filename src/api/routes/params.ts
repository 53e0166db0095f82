import { type Static, Type } from '@sinclair/typebox';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import type { ProcessAccess } from '../plugins/index.ts';
import { pathKey } from '../schemas/index.ts';

/** A process in the path. */
export const processParams = Type.Object({ ProcessKey: pathKey('The process.') });
/** A signee of a process in the path. */
export const signeeParams = Type.Object({
  ProcessKey: pathKey('The process.'),
  SigneeKey: pathKey('The signee.'),
});
/** The signee of a path, in our words. */
export const placeIn = ({ ProcessKey, SigneeKey }: Static<typeof signeeParams>) => ({
  processKey: ProcessKey,
  signeeKey: SigneeKey,
});
/** A sequence in the path. */
export const sequenceParams = Type.Object({ SequenceKey: pathKey('The sequence.') });
/** A person of a sequence in the path. */
export const personParams = Type.Object({
  SequenceKey: pathKey('The sequence.'),
  SequentialSigneeKey: pathKey('The person of the sequence.'),
});
/** A flow in the path. */
export const flowParams = Type.Object({ FlowKey: pathKey('The flow.') });

/** Codes with which a process or sequence that asks for a login refuses. */
export const accessErrors = [
  'process.not_found',
  'authentication.credentials.invalid',
  'authentication.token.invalid',
  'authentication.token.scope.invalid',
] as const;

/** Refuses a body that names another thing than the path. @throws validation.error */
export function requireEqual(name: string, given: string | undefined, inPath: string): void {
  if (given === undefined || given === inPath) return;
  invalid(name, 'expected the key of the path, found a different one');
}

/**
 * Refuses a body that names another signee than the path: to the company that is a mistake, from
 * anybody else one signee who acts for another.
 *
 * @throws validation.error, authentication.token.scope.invalid
 */
export function requireSameSignee(
  { by, viewer }: Pick<ProcessAccess, 'by' | 'viewer'>,
  given: string | undefined,
  inPath: string,
): void {
  if (by === 'company' || viewer.sees === 'all') requireEqual('signeeKey', given, inPath);
  if (given === undefined || given === inPath) return;
  throw new InnsigliError(
    'authentication.token.scope.invalid',
    'the keys belong to two ' + 'different signees',
  );
}
