import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteSpan, StoredContent } from '../../../app/ports/index.ts';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';
import { holderScale } from '../access/client-address.ts';
import { openBudget } from '../connections/budget.ts';
import { contentRange } from './byte-ranges.ts';
import { base64Inside, takingTurns } from './pieces.ts';

/** A stored file that is ready to be sent. HEAD sends only the headers. */
export interface Download {
  /** Sends the file as it is, or a range of it (206). */
  send(part?: ByteSpan): FastifyReply;
  /** Sends its base64 between two texts. */
  sendBase64(before: string, after: string): FastifyReply;
}

/** Owner and length of a file. */
export interface DownloadFacts {
  readonly companyKey: string;
  readonly lengthBytes: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Opens a stored file for a response, which reads it from disk in chunks. Unless the file is
     * small, it counts against the downloads of the client address and of the company that owns it;
     * without that company's credentials, only against a part of the company's limit.
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

/** Smaller files are sent before another client would notice a wait. */
const COUNTED_BYTES_MIN = 256 * 1024;

/** Adds the downloads of stored files. */
export function addDownloads(app: ApiApp): void {
  const take = openDownloadLimiter();
  app.decorate('openDownload', async (request, reply, { companyKey, lengthBytes }, open) => {
    if (lengthBytes >= COUNTED_BYTES_MIN && request.method !== 'HEAD') {
      const { ip, pace, caller } = request;
      const isCompanys = caller?.company.key === companyKey;
      const release = take({ ip, ...pace }, { companyKey, isCompanys });
      reply.raw.once('finish', release).once('close', release);
    }
    return downloadOf(request, reply, await open());
  });
}

/** Creates the limiter of downloads: it takes a slot and returns the function to release it. */
export function openDownloadLimiter(): (
  who: Pick<FastifyRequest, 'ip'> & Pick<FastifyRequest['pace'], 'neededMs' | 'cut'>,
  of: { readonly companyKey: string; readonly isCompanys: boolean },
) => () => void {
  const { downloads: whole, downloadsShare: share, keptPart } = limits;
  const budget = openBudget({ whole, share, kept: whole * keptPart });
  const partOf = (key: string, most: number) => ({ key, shares: most / share });
  return ({ ip, neededMs, cut }, { companyKey, isCompanys }) => {
    const sharers = [
      ...clientNetworks(ip, holderScale),
      // Holders of links must leave a part of the limit to the company.
      ...(isCompanys ? [] : [partOf(`links ${companyKey}`, limits.downloadsOfLinks)]),
      partOf(companyKey, limits.downloadsOfCompany),
    ];
    const hold = budget.open({ sharers, neededMs, cut });
    try {
      hold.take(1);
    } catch (error) {
      hold.release();
      throw error;
    }
    return hold.release;
  };
}

function downloadOf(
  request: FastifyRequest,
  reply: FastifyReply,
  content: StoredContent,
): Download {
  const send = (lengthBytes: number, pieces: () => AsyncIterable<Uint8Array>) => {
    const body = request.method === 'HEAD' ? [] : takingTurns(request, pieces());
    return reply
      .header('content-length', lengthBytes)
      .send(Readable.from(body, { objectMode: false }));
  };
  const { whole, lengthBytes } = content;
  return {
    send(part) {
      if (part !== undefined) {
        reply.code(206).header('content-range', contentRange(part, lengthBytes));
        return send(part.lengthBytes, () => content.pieces(part));
      }
      return whole === undefined
        ? send(lengthBytes, () => content.pieces())
        : reply.send(Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength));
    },
    sendBase64(before, after) {
      const digits = 4 * Math.ceil(lengthBytes / 3);
      const allBytes = Buffer.byteLength(before) + digits + Buffer.byteLength(after);
      reply.type('application/json; charset=utf-8');
      return send(allBytes, () => base64Inside(before, content.pieces(), after));
    },
  };
}
