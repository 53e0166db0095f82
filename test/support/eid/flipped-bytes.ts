import type { EidEnvironment, EidPoll, EidRequest } from '../../../src/app/ports/index.ts';
import type { DriverBench } from './driver-contract.ts';
import { finish } from './run-session.ts';

/** The byte that {@link pollWithFlip} changes. */
export interface Flip {
  /** Part of the URL whose response is changed. */
  readonly part: string;
  /** Position in the response, from 0 to 1. */
  readonly place: number;
  /** Bits to flip. */
  readonly mask: number;
}

/** An approved session in which one byte of one response is changed in transit. */
export async function pollWithFlip(
  bench: DriverBench,
  request: EidRequest,
  { part, place, mask }: Flip,
): Promise<EidPoll> {
  const { state } = await bench.driver.start(request, bench.environment);
  await bench.approve();
  const environment: EidEnvironment = {
    ...bench.environment,
    http: async (asked) => {
      const answer = await bench.environment.http(asked);
      if (!asked.url.includes(part)) return answer;
      const body = new Uint8Array(answer.body);
      const at = Math.min(Math.floor(place * body.length), body.length - 1);
      body[at] = (body[at] ?? 0) ^ mask;
      return { ...answer, body };
    },
  };
  return finish({ ...bench, environment }, state);
}

/** Positions distributed over a response; their number is prime. */
export function places(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index / count);
}
