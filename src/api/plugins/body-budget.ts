import { Readable } from 'node:stream';
import { CoreError } from '../../base/errors.ts';
import type { ApiApp } from '../route.ts';

/** Bytes of bodies that are held at once: those of companies, and those of anybody else. */
export interface BodyBytes {
  readonly companies: number;
  readonly others: number;
}

const usual: BodyBytes = { companies: 448 * 1024 * 1024, others: 64 * 1024 * 1024 };
const RETRY_SECONDS = 5;

/**
 * Counts the bytes of all bodies from when they come until their answers are out, and refuses
 * further ones when there are too many. Companies have been authenticated before.
 */
export function addBodyBudget(app: ApiApp, most: BodyBytes = usual): void {
  const used = { companies: 0, others: 0 };
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length ?? '0') === '0') return done(null, payload);
    const kind = request.company === null ? 'others' : 'companies';
    if (used[kind] + Number(length ?? 0) > most[kind]) return done(busy());
    let held = 0;
    let isOver = false;
    const take = (bytes: number) => {
      if (isOver) return;
      if (used[kind] + bytes > most[kind]) throw busy();
      held += bytes;
      used[kind] += bytes;
    };
    const release = () => {
      isOver = true;
      used[kind] -= held;
      held = 0;
    };
    reply.raw.once('finish', release).once('close', release);
    const counted = async function* () {
      try {
        for await (const chunk of (payload as Readable).iterator(keepOpen)) {
          take((chunk as Buffer).length);
          yield chunk;
        }
      } catch (error) {
        // What is left of the body is not read: no other request can follow it.
        reply.header('connection', 'close');
        throw error;
      }
    };
    const body = Readable.from(counted(), { objectMode: false });
    // Nobody listens any more when a body that was refused as too large is cut off.
    done(
      null,
      body.on('error', () => undefined),
    );
  });
}

// The connection of a refused body still has to carry the answer.
const keepOpen = { destroyOnReturn: false };

function busy(): CoreError {
  return new CoreError('service.busy', 'too many bodies are under way', {
    details: { retryAfterSeconds: RETRY_SECONDS },
  });
}
