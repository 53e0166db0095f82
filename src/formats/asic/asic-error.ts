import { InnsigliError } from '../../base/errors.ts';

/** The error for a container that cannot be understood as ASiC. */
export function asicInvalid(message: string): InnsigliError {
  return new InnsigliError('container.invalid', message);
}
