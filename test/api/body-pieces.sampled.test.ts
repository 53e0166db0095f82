import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { timeSlices } from '../../src/api/plugins/connections/time-slices.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
let base = '';
beforeAll(async () => {
  api = await openTestApi();
  base = await api.app.listen({ host: '127.0.0.1', port: 0 });
}, 60_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => api.close());

const later = (steps: number): Promise<void> =>
  steps === 0
    ? Promise.resolve()
    : new Promise((done) => setImmediate(done)).then(() => later(steps - 1));

test('chunks of a body keep their order, even if some of them must wait for a time slice', async () => {
  const wanted = createHash('sha256').update(agreement).digest('hex');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 64, max: 4000 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.option(fc.nat(3)), { minLength: 1, maxLength: 12 }),
      async (sizes, waits) => {
        let asked = 0;
        vi.spyOn(timeSlices, 'turn').mockImplementation(() => {
          const steps = waits[asked++ % waits.length] ?? null;
          return steps === null ? undefined : later(steps);
        });
        const reply = await send(piecesOf(agreement, sizes));
        expect(reply.status).toBe(200);
        const kept = reply.body.subarray(0, agreement.length);
        expect(createHash('sha256').update(kept).digest('hex')).toBe(wanted);
      },
    ),
    { numRuns: runs(40) },
  );
});

/** Sends the pieces as chunks without pauses: the server reads several of them together. */
async function send(pieces: Iterable<Buffer>): Promise<{ status: number; body: Buffer }> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${base}/api/management/sealing?FlowKey=${api.flowKey}`;
    const headers = { authorization: api.basic, 'content-type': 'application/pdf' };
    const sent = request(url, { method: 'POST', headers }, resolve).on('error', reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
  return { status: reply.statusCode ?? 0, body: await buffer(reply) };
}

function* piecesOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, count = 0; at < bytes.length; count += 1) {
    const size = sizes[count % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
