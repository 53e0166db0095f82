import { InnsigliError } from '../base/errors.ts';

/** The error for a pipe, a socket or a device where a file is expected. */
export function noFileError(name: string, found: string, cause: unknown): InnsigliError {
  const message = `${name} cannot be read: expected a regular file, found ${found}`;
  return new InnsigliError('io.input.unreadable', message, {
    cause,
    details: { file: name, reason: 'EINVAL' },
    hint: 'give a file, or a descriptor of the shell: <(…) or < FILE',
  });
}
