/** How many deliveries are under way at the same time. */
export interface PlaceRules {
  readonly inAll: number;
  /** To one host, whosever webhooks lead there. */
  readonly ofHost: number;
  readonly ofWebhook: number;
  /**
   * A delivery waits in line as long as its webhook ends {@link ofWebhook} others within this time;
   * otherwise it goes back to the store and makes room.
   */
  readonly patienceMs: number;
}

/** Places for deliveries: a receiver that is slow fills its own, and no others. */
export interface Places {
  /**
   * Runs `work` as soon as there is a place for a delivery to that webhook.
   *
   * @returns what `work` gave, or for how long to stay away because no place came free in time
   */
  run<T>(
    receiver: { readonly id: number; readonly url: string },
    work: () => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly awayMs: number }>;
}

interface Waiting {
  readonly names: Names;
  readonly enter: (hasPlace: boolean) => void;
}

/** Names under which a delivery is counted: its webhook and its host. */
type Names = readonly [webhook: string, host: string];

/** Those who are sent away come back one after the other. */
const awayFirstMs = 1000;
const awayStepMs = 100;
const awayLastMs = 60_000;
/** A line that was too slow is not tried again for so long. */
const stalledMs = 5000;

/** Opens the places of one worker. */
export function openPlaces(rules: PlaceRules): Places {
  const { ofWebhook, patienceMs } = rules;
  const { hasRoom, count, endedOf } = openCounts(rules);
  const stalled = new Map<string, { untilMs: number; away: number }>();
  const line: Waiting[] = [];
  const leave = (names: Names) => {
    count(names, -1);
    const at = line.findIndex((each) => hasRoom(each.names));
    const [next] = at < 0 ? [] : line.splice(at, 1);
    if (next === undefined) return;
    count(next.names, 1);
    next.enter(true);
  };
  const wait = (names: Names) =>
    new Promise<boolean>((resolve) => {
      let before = endedOf(names);
      const look = () => {
        const isMoving = endedOf(names) - before >= ofWebhook;
        before = endedOf(names);
        if (isMoving) {
          timer = setTimeout(look, patienceMs);
          return;
        }
        line.splice(line.indexOf(entry), 1);
        resolve(false);
      };
      let timer = setTimeout(look, patienceMs);
      const enter = (hasPlace: boolean) => {
        clearTimeout(timer);
        resolve(hasPlace);
      };
      const entry: Waiting = { names, enter };
      line.push(entry);
    });
  const enter = async (names: Names) => {
    if (hasRoom(names)) {
      count(names, 1);
      return true;
    }
    const isHopeless = (stalled.get(names[0])?.untilMs ?? 0) > performance.now();
    return !isHopeless && wait(names);
  };
  const sendAway = ([webhook]: Names) => {
    const nowMs = performance.now();
    const known = stalled.get(webhook);
    const away = known !== undefined && known.untilMs > nowMs ? known.away + 1 : 0;
    stalled.set(webhook, { untilMs: nowMs + stalledMs, away });
    return Math.min(awayFirstMs + away * awayStepMs, awayLastMs);
  };
  return {
    async run({ id, url }, work) {
      const names: Names = [`webhook ${id}`, URL.canParse(url) ? new URL(url).host : ''];
      if (!(await enter(names))) return { awayMs: sendAway(names) };
      try {
        return { done: await work() };
      } finally {
        leave(names);
      }
    },
  };
}

/** What is under way, by webhook and host, and how many of a webhook have ended. */
function openCounts({ inAll, ofHost, ofWebhook }: PlaceRules) {
  const taken = new Map<string, number>();
  const ended = new Map<string, number>();
  let free = inAll;
  const takenBy = (name: string) => taken.get(name) ?? 0;
  const endedOf = ([webhook]: Names) => ended.get(webhook) ?? 0;
  return {
    endedOf,
    hasRoom: ([webhook, host]: Names) =>
      free > 0 && takenBy(webhook) < ofWebhook && takenBy(host) < ofHost,
    /** One more, or one that has ended. */
    count(names: Names, step: 1 | -1): void {
      free -= step;
      for (const name of names) {
        const next = takenBy(name) + step;
        if (next === 0) taken.delete(name);
        else taken.set(name, next);
      }
      if (step === -1) ended.set(names[0], endedOf(names) + 1);
    },
  };
}
