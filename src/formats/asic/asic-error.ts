import { CoreError } from '../../base/errors.ts';

/** The error for a container that cannot be understood as ASiC. */
export function asicInvalid(message: string): CoreError {
  return new CoreError('container.invalid', message);
}
