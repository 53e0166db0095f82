import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';
import type { BudgetSize, BytesHeld } from '../../server-options.ts';
import { holderScale } from '../access/client-address.ts';
import { openBudget } from '../connections/budget.ts';
import { timeSlices } from '../connections/time-slices.ts';

/** The usual bytes for one of `parts` processes that share a machine. */
export function usualBodyBytes(parts = 1): BytesHeld {
  const part = (bytes: number) => Math.max(limits.bodyBytes, Math.floor(bytes / parts));
  const { companyBodiesBytes, companyBodiesShare, otherBodiesBytes, otherBodiesShare } = limits;
  const share = part(companyBodiesShare);
  const kept = Math.floor((companyBodiesBytes * limits.keptPart) / parts);
  // The limit of one company leaves room for a body of another one, and both for small ones.
  const whole = Math.max(Math.floor(companyBodiesBytes / parts), share + limits.bodyBytes + kept);
  return {
    companies: { whole, share, kept },
    others: {
      whole: otherBodiesBytes,
      share: otherBodiesShare,
      kept: otherBodiesBytes * limits.keptPart,
    },
    visitors: visitorBytes(parts),
  };
}

/** The usual bytes of files that visitors have checked, for one of `parts` processes. */
export function visitorBytes(parts = 1): BudgetSize {
  const share = limits.pageFileBytes + limits.pageFormBytes;
  return { whole: Math.max(share, Math.floor(limits.pageFilesBytes / parts)), share };
}

/**
 * Counts the bytes of all bodies from when they come until their answers are out, and refuses
 * further ones when there are too many. Companies have been authenticated before.
 */
export function addBodyBudget(app: ApiApp, most: BytesHeld = usualBodyBytes()): void {
  const companies = openBudget(most.companies);
  const others = openBudget(most.others);
  const visitors = openBudget(most.visitors ?? visitorBytes());
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length ?? '0') === '0') return done(null, payload);
    const { pace, company } = request;
    const isVisitors = request.routeOptions.config.facts?.bodiesOf === 'visitors';
    const budget = company !== null ? companies : isVisitors ? visitors : others;
    const hold = budget.open({
      sharers:
        company === null
          ? clientNetworks(request.ip, holderScale)
          : [{ key: company.company.key, shares: 1 }],
      neededMs: pace.neededMs,
      cut: pace.cut,
    });
    reply.raw.once('finish', hold.release).once('close', hold.release);
    // One that is too long is refused when it is read.
    const said = Number(length ?? 0);
    const ahead = said > request.routeOptions.bodyLimit ? 0 : said;
    try {
      hold.take(ahead);
    } catch (error) {
      return done(error as Error);
    }
    // The rest of a refused body is not read: no other request can follow it.
    const broken = () => void reply.header('connection', 'close');
    done(null, counted(request, payload as Readable, ahead, hold.take).on('error', broken));
  });
}

/**
 * A body of which `ahead` bytes were taken before they came. Small ones come with every request:
 * this does without promises until a client has to wait for its turn.
 */
function counted(
  { pace, bodyHash, company, ip }: FastifyRequest,
  payload: Readable,
  ahead: number,
  take: (bytes: number) => void,
): Readable {
  let left = ahead;
  let got = 0;
  const client = company?.company.key ?? ip;
  let hasBegun = false;
  let turn: Promise<void> | undefined;
  // Until a piece had its turn nothing is read on: pieces stay in their order.
  let isWaiting = false;
  const pass = (chunk: Buffer) => {
    if (body.destroyed) return;
    bodyHash?.update(chunk);
    if (body.push(chunk)) payload.resume();
    else payload.pause();
  };
  const receive = (chunk: Buffer) => {
    const { length } = chunk;
    try {
      if (length > left) take(length - left);
    } catch (error) {
      return void body.destroy(error as Error);
    }
    left = Math.max(0, left - length);
    got += length;
    turn = timeSlices.turn(client);
    if (turn === undefined) return pass(chunk);
    isWaiting = true;
    payload.pause();
    turn.then(() => {
      isWaiting = false;
      pass(chunk);
    });
  };
  const end = () => void body.push(null);
  const begin = () => {
    hasBegun = true;
    // For a body of unknown length the same amount is expected again.
    pace.receiving(() => (ahead > 0 ? left : Math.max(got, UNSAID_BYTES)));
    payload.on('data', receive);
    // A stream says that it has ended although its last piece waits for its turn.
    payload.once('end', () => (turn === undefined ? end() : turn.then(end)));
    payload.once('error', (error) => body.destroy(error));
    payload.once('close', () => {
      if (!payload.readableEnded) body.destroy(new Error('the body ended too early'));
    });
  };
  const body = new Readable({
    read() {
      if (!hasBegun) begin();
      else if (!isWaiting) payload.resume();
    },
    destroy(error, done) {
      pace.receiving(undefined);
      // The connection of a refused body still has to carry the answer.
      payload.off('data', receive).pause();
      done(error);
    },
  });
  return body;
}

const UNSAID_BYTES = 64 * 1024;
