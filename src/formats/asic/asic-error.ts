import { InnsigliError } from '../../base/errors.ts';

/** The error for a container that is not valid ASiC. */
export function asicInvalid(message: string): InnsigliError {
  return new InnsigliError('container.invalid', message);
}
