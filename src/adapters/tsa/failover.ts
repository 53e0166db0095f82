import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireGiven, requireObject } from '../../base/given.ts';
import { readable, readableOptions } from '../../base/taken.ts';
import { requireToken } from '../../formats/tsp/index.ts';
import type { TimestampAuthority } from '../../seal/ports.ts';

/** Options of {@link failoverTimestampAuthority}. */
export interface FailoverOptions {
  /**
   * Checks a response before it is handed out: throw an {@link InnsigliError} to go on with the
   * next authority. Without it a granted response counts; only the caller verifies its token, too
   * late to ask another authority.
   */
  readonly accept?: (
    request: Uint8Array,
    response: Uint8Array,
    authority: TimestampAuthority,
  ) => void;
}

/**
 * Several authorities as one: the first that grants the request answers. When all fail, the error
 * has the code of the last one and tells what was tried.
 *
 * @throws config.invalid when the list is empty
 * @example
 * const timestampAuthority = failoverTimestampAuthority([
 *   httpTimestampAuthority({ url: 'https://tsa.example/tsr' }),
 *   httpTimestampAuthority({ url: 'https://other.example/tsr' }),
 * ]);
 */
export function failoverTimestampAuthority(
  given: readonly TimestampAuthority[],
  givenOptions: FailoverOptions = {},
): TimestampAuthority {
  requireObject('authorities', given);
  requireGiven('authorities', 'an array', given, Array.isArray(given));
  const authorities = given.map(asPlain);
  const { accept } = readableOptions('failoverTimestampAuthority', givenOptions, { accept: 1 });
  if (authorities.length === 0) {
    throw new InnsigliError('config.invalid', 'no time-stamp authority to choose from');
  }
  const known = authorities.map(({ tokenLengthBytes }) => tokenLengthBytes);
  const longest = known.every((length) => length !== undefined) ? Math.max(...known) : undefined;
  return {
    name: authorities.map(({ name }) => name).join(', '),
    ...defined({ tokenLengthBytes: longest }),
    async timestamp(request) {
      const failures: InnsigliError[] = [];
      for (const authority of authorities) {
        try {
          const response = await authority.timestamp(request);
          requireToken(response, authority.name);
          accept?.(request, response, authority);
          return response;
        } catch (error) {
          // Another authority may do better; a ban on the network holds for all.
          if (!isInnsigliError(error, 'tsa')) throw error;
          failures.push(error);
        }
      }
      throw allFailed(failures);
    },
  };
}

/** A copy of an authority: each member is read once; its method keeps its `this`. */
function asPlain(given: TimestampAuthority): TimestampAuthority {
  const { name, tokenLengthBytes, timestamp } = readable('an authority', given);
  return {
    name,
    ...defined({ tokenLengthBytes }),
    timestamp: (request) => timestamp.call(given, request),
  };
}

function allFailed(failures: readonly InnsigliError[]): InnsigliError {
  const last = failures[failures.length - 1] as InnsigliError;
  if (failures.length === 1) return last;
  const tried = failures.map(({ message }) => message).join('; ');
  const message = `none of ${failures.length} time-stamp authorities issued a time-stamp: ${tried}`;
  return new InnsigliError(last.code, message, {
    cause: last,
    details: { tried: failures.length },
    hint: last.hint ?? 'try again later',
  });
}
