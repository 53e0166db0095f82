import { limits } from '../../../base/limits.ts';

/** Dependencies of time slices; a test has its own. */
export interface SliceClock {
  /** Milliseconds. */
  now(): number;
  /** Calls `work` in the next turn of the event loop. */
  nextTurn(work: () => void): void;
  /** Calls `work` when what the present call has begun has nothing left to do in this turn. */
  afterwards(work: () => void): void;
}

/** Shares the turns of the event loop among clients. */
export interface TimeSlices {
  /**
   * Calls `work` at once while this turn is young and nobody waits, else in a later turn: clients
   * take turns, whatever each of them asks for.
   */
  run(client: string, work: () => void): void;
  /** Resolves when the next piece of `client` may be worked on; undefined: at once. */
  turn(client: string): Promise<void> | undefined;
  /**
   * A connection has come. Node takes one connection a turn, however many wait to be taken: until
   * none has come for a turn, no work is begun, for {@link SliceSizes.arrivalsMs} at most.
   */
  arrived(): void;
}

/** Lengths of turns, in milliseconds. */
export interface SliceSizes {
  /** A turn that has taken longer begins nothing more. */
  readonly sliceMs: number;
  /** Longest delay of work by connections that keep arriving, in milliseconds. */
  readonly arrivalsMs: number;
}

const ofEventLoop: SliceClock = {
  now: () => performance.now(),
  nextTurn: (work) => void setImmediate(work),
  // Node calls what nextTick was given when no promise has anything left to do.
  afterwards: (work) => queueMicrotask(() => process.nextTick(work)),
};

/**
 * Opens time slices: where hundreds of bodies come at once, one turn would take them all, and who
 * asks for something small would wait for it two or three times (accepted, read, answered).
 */
export function openTimeSlices(
  { sliceMs, arrivalsMs }: SliceSizes = { sliceMs: limits.turnMs, arrivalsMs: limits.arrivalsMs },
  clock: SliceClock = ofEventLoop,
): TimeSlices {
  // A client goes to the end of the line whenever it has had its turn.
  const waiting = new Map<string, (() => void)[]>();
  const arrivals = openArrivals(arrivalsMs, clock);
  let beganMs: number | undefined;
  const begin = () => {
    beganMs = clock.now();
    step();
  };
  const step = () => {
    const first = waiting.entries().next().value;
    if (first === undefined) beganMs = undefined;
    else if (isOver()) clock.nextTurn(begin);
    else {
      clock.afterwards(step);
      const [client, works] = first;
      waiting.delete(client);
      const work = works.shift();
      if (works.length > 0) waiting.set(client, works);
      work?.();
    }
  };
  const isOver = () => arrivals.holdBack() || clock.now() - (beganMs ?? 0) > sliceMs;
  const hasRoom = () => {
    if (beganMs === undefined) {
      beganMs = clock.now();
      clock.nextTurn(begin);
    }
    return waiting.size === 0 && !isOver();
  };
  const wait = (client: string, work: () => void) => {
    const works = waiting.get(client);
    if (works === undefined) waiting.set(client, [work]);
    else works.push(work);
  };
  return {
    run(client, work) {
      if (hasRoom()) work();
      else wait(client, work);
    },
    turn(client) {
      return hasRoom() ? undefined : new Promise((resolve) => wait(client, resolve));
    },
    arrived: arrivals.note,
  };
}

/** Knows whether connections have come in this turn or the one before. */
function openArrivals(mostMs: number, clock: SliceClock) {
  let turnsLeft = 0;
  let sinceMs = 0;
  const count = () => {
    turnsLeft -= 1;
    if (turnsLeft > 0) clock.nextTurn(count);
  };
  return {
    note() {
      if (turnsLeft === 0) {
        sinceMs = clock.now();
        clock.nextTurn(count);
      }
      turnsLeft = 2;
    },
    holdBack: () => turnsLeft > 0 && clock.now() - sinceMs < mostMs,
  };
}

/** Time slices of this thread: it has one event loop. */
export const timeSlices: TimeSlices = openTimeSlices();
