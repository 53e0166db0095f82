import { type Static, Type } from '@sinclair/typebox';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import type { ProcessAccess } from '../plugins/index.ts';
import { pathKey } from '../schemas/index.ts';

/** Path parameter: a process. */
export const processParams = Type.Object({ ProcessKey: pathKey('The process.') });
/** Path parameters: a signee of a process. */
export const signeeParams = Type.Object({
  ProcessKey: pathKey('The process.'),
  SigneeKey: pathKey('The signee.'),
});
/** The signee of a path, in internal names. */
export const placeIn = ({ ProcessKey, SigneeKey }: Static<typeof signeeParams>) => ({
  processKey: ProcessKey,
  signeeKey: SigneeKey,
});
/** Path parameter: a sequence. */
export const sequenceParams = Type.Object({ SequenceKey: pathKey('The sequence.') });
/** Path parameters: a person of a sequence. */
export const personParams = Type.Object({
  SequenceKey: pathKey('The sequence.'),
  SequentialSigneeKey: pathKey('The person of the sequence.'),
});
/** Path parameter: a flow. */
export const flowParams = Type.Object({ FlowKey: pathKey('The flow.') });

/** Error codes for denied access to a process or sequence that requires a login. */
export const accessErrors = [
  'process.not_found',
  'authentication.credentials.invalid',
  'authentication.token.invalid',
  'authentication.token.scope.invalid',
] as const;

/** Rejects a body that names a different object than the path. @throws validation.error */
export function requireEqual(name: string, given: string | undefined, inPath: string): void {
  if (given === undefined || given === inPath) return;
  invalid(name, 'expected the key of the path, found a different one');
}

/**
 * Rejects a body that names a different signee than the path. From the company this is an invalid
 * request; from anyone else, one signee acting for another.
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
    'the keys belong to two different signees',
  );
}
