import type {
  EidDriver,
  EidEnvironment,
  EidPoll,
  EidRequest,
  EidStarted,
  EidState,
} from '../../../src/app/ports/index.ts';

/** The parts of a bench used by {@link finish}. */
interface Runner {
  readonly driver: EidDriver;
  readonly environment: EidEnvironment;
  advance(ms: number): void;
}

/** Polls a session until it has ended; each poll knows only the stored state. */
export async function finish(bench: Runner, begun: EidState, rounds = 12): Promise<EidPoll> {
  let state = begun;
  for (let round = 0; round < rounds; round++) {
    bench.advance(5_000);
    const stored = JSON.parse(JSON.stringify(state)) as EidState;
    const answer = await bench.driver.poll(stored, bench.environment);
    if (answer.status !== 'pending') return answer;
    state = answer.state ?? state;
  }
  throw new Error(`the session did not end in ${rounds} polls`);
}

/** Starts a session, lets the person approve, and polls it to its end. */
export async function runApproved(
  bench: Runner & { approve(): Promise<void> | void },
  request: EidRequest,
): Promise<{ readonly started: EidStarted; readonly answer: EidPoll }> {
  const started = await bench.driver.start(request, bench.environment);
  await bench.approve();
  return { started, answer: await finish(bench, started.state) };
}
