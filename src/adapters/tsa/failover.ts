import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireGiven, requireObject } from '../../base/given.ts';
import { readable, readableOptions } from '../../base/taken.ts';
import { requireToken } from '../../formats/tsp/index.ts';
import type { TimestampAuthority } from '../../seal/ports.ts';

/** Options of {@link failoverTimestampAuthority}. */
export interface FailoverOptions {
  /**
   * Checks a response before it is returned. If it throws an {@link InnsigliError}, the next
   * authority is tried. Without it, every granted response is accepted; the caller verifies the
   * token too late to try a different authority.
   */
  readonly accept?: (
    request: Uint8Array,
    response: Uint8Array,
    authority: TimestampAuthority,
  ) => void;
}

/**
 * Combines several authorities: the first one that grants a request provides the response. If all
 * fail, the error has the code of the last failure and lists what was tried.
 *
 * @throws config.invalid if the list is empty
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
          // Another authority may succeed after a TSA error; a network prohibition applies to all.
          if (!isInnsigliError(error, 'tsa')) throw error;
          failures.push(error);
        }
      }
      throw allFailed(failures);
    },
  };
}

/** Copies an authority: each member is read once, and its method keeps its `this`. */
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
