import { InnsigliError } from '../../base/errors.ts';
import { shown } from '../../base/input.ts';
import { readableOptions } from '../../base/taken.ts';
import { configFromObject } from '../config/resolve.ts';
import type { Service } from '../service/service.types.ts';
import { openToolkit } from '../toolkit.ts';
import type { Toolkit } from '../toolkit.types.ts';
import type { Innsigli, InnsigliIo, InnsigliSettings } from './innsigli.types.ts';
import { takeClock, takeRandom } from './take-ports.ts';
import { checkingArguments } from './taking.ts';

const ioNames = { now: 1, random: 1, warn: 1, askPassword: 1 } as const;
const toolkits = new WeakMap<object, Toolkit>();

/**
 * All functions of the command line, as an object. Opening it is cheap: keys, database and
 * connections are opened when a method needs them. Nothing is read from the environment, except the
 * home folder if no data directory is given.
 *
 * @param settings structured like a configuration file; relative paths are resolved against the
 *   current folder
 * @param io clock, random generator and warnings; default: those of the system, and no warnings
 * @throws config.invalid, usage.invalid
 * @example
 * const innsigli = openInnsigli({ dataDir: './data' });
 * const { tail, level } = await innsigli.seal(memorySource(pdf), { reason: 'Approved' });
 * await innsigli.close();
 */
export function openInnsigli(settings: InnsigliSettings = {}, io: InnsigliIo = {}): Innsigli {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    const message = `settings: expected an object, found ${shown(settings)}`;
    throw new InnsigliError('config.invalid', message);
  }
  const { now, random, ...rest } = readableOptions('openInnsigli', io, ioNames, 'io');
  const toolkit = openToolkit(configFromObject(settings, process.cwd()), {
    now: takeClock(now),
    random: takeRandom(random),
    warn: () => undefined,
    ...rest,
  });
  const innsigli = checkingArguments(overToolkit(toolkit));
  toolkits.set(innsigli, toolkit);
  return innsigli;
}

/** The toolkit wrapped by an object of {@link openInnsigli}. @throws usage.invalid for others */
export function toolkitOf(innsigli: Innsigli): Toolkit {
  const toolkit = toolkits.get(innsigli);
  if (toolkit !== undefined) return toolkit;
  throw new InnsigliError('usage.invalid', 'expected the result of openInnsigli');
}

function overToolkit(toolkit: Toolkit): Innsigli {
  const { requireStrongKey: _key, service: open, trustService: _trust, ...operations } = toolkit;
  let opening: Promise<Service> | undefined;
  const service = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    ...operations,
    company: async (key) => (await service()).open(key),
    createCompany: async (request) => (await service()).createCompany(request),
    companies: async () => (await service()).companies(),
    runDueJobs: async (...run) => (await service()).work(...run),
    identity: async () => (await service()).identity,
    health: async () => (await service()).health(),
    close: async () => {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      await opened?.close();
      toolkit.close();
    },
  };
}
