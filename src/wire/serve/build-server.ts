import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { buildApi, type ServerOptions } from '../../api/index.ts';
import { ownToolkit } from '../library/taking-toolkit.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';
import { apiPorts } from './api-ports.ts';

/**
 * The HTTP interface of the service as a Fastify application, to listen with, to mount, or to
 * inject requests into. It opens the service of the toolkit, and closing it closes that. Jobs are
 * done by whoever calls `work` of the service, such as `innsigli worker`.
 *
 * @param io clock and randomness; those of the system when left out
 * @throws store.*, vault.*, contents.unshared, trust.mismatch, config.invalid
 */
export async function buildServer(
  given: Toolkit,
  options: ServerOptions = {},
  io: Partial<Pick<ToolkitIo, 'now' | 'random'>> = {},
): Promise<FastifyInstance> {
  const toolkit = ownToolkit(given);
  const service = await toolkit.service();
  await service.enter().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const whole = { now: () => Date.now(), random: (count: number) => randomBytes(count), ...io };
  const manifest: { version: string } = createRequire(import.meta.url)('innsigli/package.json');
  const closing = { ...options, onClose: () => service.close() };
  return buildApi(apiPorts(toolkit, service, whole, manifest.version), closing);
}
