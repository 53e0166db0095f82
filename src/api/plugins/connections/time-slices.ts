import { limits } from '../../../base/limits.ts';

/** Dependencies of time slices, replaceable in tests. */
export interface SliceClock {
  /** Milliseconds. */
  now(): number;
  /** Calls `work` in the next turn of the event loop. */
  nextTurn(work: () => void): void;
  /** Calls `work` when everything started by the present call is done for this turn. */
  afterwards(work: () => void): void;
}

/** Shares the turns of the event loop among clients. */
export interface TimeSlices {
  /**
   * Calls `work` immediately if this turn has just begun and no client waits, else in a later turn.
   * Clients take turns, whatever they request.
   */
  run(client: string, work: () => void): void;
  /** Resolves when the next chunk of `client` may be processed. Undefined: immediately. */
  turn(client: string): Promise<void> | undefined;
  /**
   * Reports a new connection. Node accepts one connection per turn, however many are pending, so no
   * work is started until a turn passes without one, for at most {@link SliceSizes.arrivalsMs}.
   */
  arrived(): void;
}

/** Lengths of turns, in milliseconds. */
export interface SliceSizes {
  /** Time in milliseconds after which a turn starts no more work. */
  readonly sliceMs: number;
  /** Maximum delay of work while connections keep arriving, in milliseconds. */
  readonly arrivalsMs: number;
}

const ofEventLoop: SliceClock = {
  now: () => performance.now(),
  nextTurn: (work) => void setImmediate(work),
  // Node runs nextTick callbacks when the microtask queue is empty.
  afterwards: (work) => queueMicrotask(() => process.nextTick(work)),
};

/**
 * Creates time slices. Without them, one turn would process hundreds of bodies that arrive
 * together, and a client with a small request would wait two or three such turns (accept, read,
 * respond).
 */
export function openTimeSlices(
  { sliceMs, arrivalsMs }: SliceSizes = { sliceMs: limits.turnMs, arrivalsMs: limits.arrivalsMs },
  clock: SliceClock = ofEventLoop,
): TimeSlices {
  // A client moves to the end of the queue after each turn.
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

/** Tracks whether connections arrived in this turn or the previous one. */
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
