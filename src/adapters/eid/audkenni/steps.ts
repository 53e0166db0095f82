import { EidError, type EidPoll, type EidState } from '../../../app/ports/index.ts';
import { failed } from '../session.ts';

/** A step of a session; it has what its request needs. */
export interface Step {
  readonly name: string;
}

/**
 * Goes on from a step until the session has ended, or the person has to be waited for. When the
 * provider cannot be reached after a step was taken, the session goes on from there with the next
 * poll: codes and tokens are given once.
 *
 * @throws EidError `providerUnavailable` when the first request had no answer
 */
export async function runSteps<S extends Step>(
  first: S,
  advance: (step: S) => Promise<S | EidPoll>,
  stateOf: (step: S) => EidState,
): Promise<EidPoll> {
  let step = first;
  for (;;) {
    try {
      const next = await advance(step);
      if ('status' in next) return next;
      step = next;
    } catch (error) {
      if (!(error instanceof EidError)) throw error;
      if (!isUnreached(error)) return failed(error);
      if (step === first) throw error;
      return { status: 'pending', hint: step.name, state: stateOf(step) };
    }
  }
}

/** A code of the provider tells that it has answered: then the session is over. */
function isUnreached({ code, providerCode }: EidError): boolean {
  return code === 'providerUnavailable' && providerCode === undefined;
}
