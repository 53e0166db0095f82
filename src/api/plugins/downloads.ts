import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredContent } from '../../app/ports/index.ts';
import { clientNetworks } from '../../base/ip-address.ts';
import { limits } from '../../base/limits.ts';
import type { ApiApp } from '../route.ts';
import { type Budget, openBudget } from './budget.ts';
import { holderScale } from './clients.ts';
import { base64Inside } from './pieces.ts';

/** A stored file that is ready to be sent; of HEAD only the headers are. */
export interface Download {
  /** Sends it as it is. */
  send(): FastifyReply;
  /** Sends its base64 between two texts. */
  sendBase64(before: string, after: string): FastifyReply;
}

/** Whose file it is, and how long. */
export interface DownloadFacts {
  readonly companyKey: string;
  readonly lengthBytes: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Opens a stored file for an answer, which takes it piece by piece from the disk. Unless it is
     * small it counts against the downloads of the address, and of the company whose file it is.
     *
     * @throws request.share.exceeded, service.busy, and what `open` throws
     */
    openDownload(
      request: FastifyRequest,
      reply: FastifyReply,
      facts: DownloadFacts,
      open: () => Promise<StoredContent>,
    ): Promise<Download>;
  }
}

/** Shorter files are out before others could wait for them. */
const COUNTED_BYTES_MIN = 256 * 1024;

/** Adds the downloads of stored files. */
export function addDownloads(app: ApiApp): void {
  const { downloads: whole, downloadsShare: share } = limits;
  const budget = openBudget({ whole, share });
  app.decorate('openDownload', async (request, reply, facts, open) => {
    if (facts.lengthBytes >= COUNTED_BYTES_MIN) takePlace(budget, request, reply, facts);
    return downloadOf(request, reply, await open());
  });
}

function takePlace(
  budget: Budget,
  { ip, pace }: FastifyRequest,
  reply: FastifyReply,
  { companyKey }: DownloadFacts,
): void {
  const shares = limits.downloadsOfCompany / limits.downloadsShare;
  const hold = budget.open({
    sharers: [...clientNetworks(ip, holderScale), { key: companyKey, shares }],
    waitedMs: pace.waitedMs,
    cut: pace.cut,
  });
  reply.raw.once('finish', hold.release).once('close', hold.release);
  hold.take(1);
}

function downloadOf(
  { method }: FastifyRequest,
  reply: FastifyReply,
  content: StoredContent,
): Download {
  const send = (lengthBytes: number, pieces: () => AsyncIterable<Uint8Array>) => {
    const body = method === 'HEAD' ? [] : pieces();
    return reply
      .header('content-length', lengthBytes)
      .send(Readable.from(body, { objectMode: false }));
  };
  const { whole, lengthBytes } = content;
  return {
    send: () =>
      whole === undefined
        ? send(lengthBytes, () => content.pieces())
        : reply.send(Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)),
    sendBase64(before, after) {
      const digits = 4 * Math.ceil(lengthBytes / 3);
      const allBytes = Buffer.byteLength(before) + digits + Buffer.byteLength(after);
      reply.type('application/json; charset=utf-8');
      return send(allBytes, () => base64Inside(before, content.pieces(), after));
    },
  };
}
