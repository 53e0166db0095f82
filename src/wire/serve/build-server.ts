import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { buildApi, type ServerOptions } from '../../api/index.ts';
import { requireObject } from '../../base/given.ts';
import type { Innsigli, InnsigliIo } from '../library/innsigli.types.ts';
import { toolkitOf } from '../library/open-innsigli.ts';
import { takeClock, takeRandom } from '../library/take-ports.ts';
import { pooledRandom } from '../pooled-random.ts';
import { apiPorts } from './api-ports.ts';

/**
 * The HTTP interface of the service as a Fastify application, to listen with, to mount, or to
 * inject requests into. It opens a service of its own over the data directory, and closing it
 * closes that. Jobs are done by `runDueJobs` or `innsigli worker`.
 *
 * @param innsigli the result of `openInnsigli`
 * @param io clock and randomness; those of the system when left out
 * @throws store.*, vault.*, contents.unshared, trust.mismatch, config.invalid, usage.invalid
 * @example
 * const app = await buildServer(openInnsigli({ dataDir: './data' }));
 * await app.listen({ port: 8080 });
 */
export async function buildServer(
  innsigli: Innsigli,
  options: ServerOptions = {},
  io: Pick<InnsigliIo, 'now' | 'random'> = {},
): Promise<FastifyInstance> {
  requireObject('options', options);
  requireObject('io', io);
  const { now, random } = io;
  const toolkit = toolkitOf(innsigli);
  const service = await toolkit.service();
  await service.enter().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const whole = { now: takeClock(now), random: takeRandom(random, pooledRandom(randomBytes)) };
  const manifest: { version: string } = createRequire(import.meta.url)('innsigli/package.json');
  const closing = { ...options, onClose: () => service.close() };
  return buildApi(apiPorts(toolkit, service, whole, manifest.version), closing);
}
