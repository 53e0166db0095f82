import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { buildApi, type ServerOptions } from '../../api/index.ts';
import { readableOptions } from '../../base/taken.ts';
import type { Innsigli, InnsigliIo } from '../library/innsigli.types.ts';
import { toolkitOf } from '../library/open-innsigli.ts';
import { takeClock, takeRandom } from '../library/take-ports.ts';
import { pooledRandom } from '../pooled-random.ts';
import { apiPorts } from './api-ports.ts';

const optionNames = {
  ...{ requestsPerAddress: 1, requestsPerCompany: 1, operatorToken: 1, strict: 1, failures: 1 },
  ...{ trustProxy: 1, unnamedProxy: 1, log: 1, logLevel: 1, onClose: 1, tls: 1, patience: 1 },
  ...{ maxConnections: 1, parts: 1, bodyBytes: 1, answerBytes: 1 },
} as const;

/**
 * Builds the HTTP interface of the service as a Fastify application, to listen with, to mount, or
 * to inject requests into. It opens its own service over the data directory, and closes it when the
 * application is closed. Jobs are run by `runDueJobs` or `innsigli worker`.
 *
 * @param innsigli the result of `openInnsigli`
 * @param io clock and random generator; default: those of the system
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
  const own = readableOptions('buildServer', options, optionNames);
  const { now, random } = readableOptions('buildServer', io, { now: 1, random: 1 }, 'io');
  const toolkit = toolkitOf(innsigli);
  const service = await toolkit.service();
  await service.enter().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const whole = { now: takeClock(now), random: takeRandom(random, pooledRandom(randomBytes)) };
  const manifest: { version: string } = createRequire(import.meta.url)('innsigli/package.json');
  const closing = { ...own, onClose: () => service.close() };
  return buildApi(apiPorts(toolkit, service, whole, manifest.version), closing);
}
