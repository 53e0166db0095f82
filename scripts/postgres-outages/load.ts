import { agreement, type Site } from './site.ts';

/** A response, or its absence. */
export interface Answered {
  /** Milliseconds of `performance.now()`. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Status and code; `lost` for a broken connection to the service. */
  readonly what: string;
}

/** Responses that the clients received. */
export interface Told {
  readonly answers: Answered[];
  /** Key of the created process, by Idempotency-Key. */
  readonly created: Map<string, string>;
  /** Processes whose click was answered with success, or as already done. */
  readonly clicked: Set<string>;
  /** Requests that ended with another response than success. */
  readonly refused: string[];
}

/** Running clients. */
export interface Load {
  readonly told: Told;
  /** Lets each client finish its request; the recorded responses are then complete. */
  stop(): Promise<void>;
}

const RETRY_MS = 250;
/** A request that does not finish within this time is a fault. */
const PATIENCE_MS = 120_000;

/**
 * Starts `count` clients that create and sign processes, repeating each request until it succeeds.
 *
 * @param signEvery one in this many processes is signed: mails about the rest are sent
 */
export function startLoad(site: Site, count: number, name: string, signEvery = 1): Load {
  const told: Told = { answers: [], created: new Map(), clicked: new Set(), refused: [] };
  let isOver = false;
  const client = async (number: number) => {
    for (let turn = 1; !isOver; turn++) {
      const key = `${name}-${number}-${turn}`;
      const made = await act(site, told, '/api/management/signing', `create-${key}`, {
        flowKey: site.flowKey,
        pdfDocument: agreement,
        pdfFileName: `${key}.pdf`,
        createSignees: [
          {
            name: 'Anna Example',
            email: `${key}@example.test`,
            signatureType: 'ClickToSign',
            communicationDeliveryType: 'Email',
          },
        ],
      });
      if (made === undefined) continue;
      told.created.set(key, made.key);
      if (turn % signEvery > 0) continue;
      const place = `/api/signing/sign/${made.key}/signee/${made.signees[0].key}/click`;
      const signed = await act(site, told, place, `click-${key}`, {});
      if (signed !== undefined) told.clicked.add(made.key);
    }
  };
  const clients = Array.from({ length: count }, (_, at) => client(at + 1));
  return {
    told,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

async function act(site: Site, told: Told, path: string, name: string, body: object) {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const beganAt = performance.now();
    const { status, text } = await post(site, path, name, body);
    // A click has no idempotency key: a repeat is answered with the existing signature.
    const code = status === 200 ? '' : (/"errorCode":"([^"]+)"/.exec(text)?.[1] ?? '');
    const what = status === 0 ? 'lost' : `${status} ${code}`.trim();
    told.answers.push({ atMs: performance.now(), tookMs: performance.now() - beganAt, what });
    if (status === 200) return JSON.parse(text);
    if (code === 'signing.forbidden.signee.signed') return {};
    const mayRepeat = status === 0 || status === 503 || code === 'idempotency.in_flight';
    if (!mayRepeat || performance.now() > giveUpAt) {
      told.refused.push(`${name}: ${what}`);
      return undefined;
    }
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

async function post({ url, authorization }: Site, path: string, name: string, body: object) {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(90_000),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
