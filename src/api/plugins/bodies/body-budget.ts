import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';
import type { BudgetSize, BytesHeld } from '../../server-options.ts';
import { holderScale } from '../access/client-address.ts';
import { openBudget } from '../connections/budget.ts';
import { timeSlices } from '../connections/time-slices.ts';

/** The default byte limits of bodies for one of `parts` processes that share a machine. */
export function usualBodyBytes(parts = 1): BytesHeld {
  const part = (bytes: number) => Math.max(limits.bodyBytes, Math.floor(bytes / parts));
  const { companyBodiesBytes, companyBodiesShare, otherBodiesBytes, otherBodiesShare } = limits;
  const share = part(companyBodiesShare);
  const kept = Math.floor((companyBodiesBytes * limits.keptPart) / parts);
  // The limit of one company leaves space for a body of another, and both for small ones.
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

/** The default byte limit of files that visitors have verified, for one of `parts` processes. */
export function visitorBytes(parts = 1): BudgetSize {
  const share = limits.pageFileBytes + limits.pageFormBytes;
  return { whole: Math.max(share, Math.floor(limits.pageFilesBytes / parts)), share };
}

/**
 * Counts the bytes of all bodies from their arrival until their responses are sent, and rejects
 * further ones when there are too many. Companies were authenticated before.
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
    // A body that is too long is rejected when it is read.
    const said = Number(length ?? 0);
    const ahead = said > request.routeOptions.bodyLimit ? 0 : said;
    try {
      hold.take(ahead);
    } catch (error) {
      return done(error as Error);
    }
    // The rest of a rejected body is not read, so no other request can follow it.
    const broken = () => void reply.header('connection', 'close');
    done(null, counted(request, payload as Readable, ahead, hold.take).on('error', broken));
  });
}

/**
 * Returns a counted body of which `ahead` bytes were reserved in advance. Small bodies come with
 * every request, so this uses no promises until a client has to wait for its turn.
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
  // Reading pauses until a chunk has had its turn, which preserves the order of chunks.
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
    // For a body of unknown length, expect as much again as has arrived.
    pace.receiving(() => (ahead > 0 ? left : Math.max(got, UNSAID_BYTES)));
    payload.on('data', receive);
    // A stream reports its end even if its last chunk is still waiting for its turn.
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
      // The connection of a rejected body still has to carry the response.
      payload.off('data', receive).pause();
      done(error);
    },
  });
  return body;
}

const UNSAID_BYTES = 64 * 1024;
