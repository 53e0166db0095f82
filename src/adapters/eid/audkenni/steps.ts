import { EidError, type EidPoll, type EidState } from '../../../app/ports/index.ts';
import { failed } from '../session.ts';

/** A step of a session, with the values that its request needs. */
export interface Step {
  readonly name: string;
}

/**
 * Runs the steps of a session until it ends or the person has to act. If the provider becomes
 * unreachable after a step has succeeded, the next poll resumes from there, because codes and
 * tokens are issued only once.
 *
 * @throws EidError `providerUnavailable` if the first request got no response
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

/** An error with a provider code is a response of the provider, which ends the session. */
function isUnreached({ code, providerCode }: EidError): boolean {
  return code === 'providerUnavailable' && providerCode === undefined;
}
