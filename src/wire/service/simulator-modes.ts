import { join } from 'node:path';
import type { SimulatorOptions } from '../../adapters/eid/index.ts';
import type { SimulatorDesk } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';

type Context = Pick<ToolkitContext, 'config' | 'io'>;

/**
 * Response modes of the simulator, from the settings `simulator.mode` and `simulator.scenarios`.
 *
 * @throws config.invalid for an unreadable scenarios file
 */
export async function simulatorModes(
  context: Context,
): Promise<Pick<SimulatorOptions, 'verdicts' | 'scenarios'>> {
  const { mode, scenarios } = context.config.service.simulator;
  return {
    ...(mode === 'manual' ? { verdicts: await openFiles(context) } : {}),
    ...(scenarios === undefined ? {} : { scenarios: await readScenarios(scenarios) }),
  };
}

/**
 * Opens the interface that decides sessions of a waiting simulator.
 *
 * @throws config.invalid in production, and if the simulator does not wait
 */
export async function openSimulatorDesk(context: Context): Promise<SimulatorDesk> {
  const { production, service } = context.config;
  if (production) {
    throw new InnsigliError('config.invalid', 'production: expected false for the simulator', {
      hint: 'production has no simulator',
    });
  }
  if (service.simulator.mode !== 'manual') {
    const message = 'simulator.mode: expected manual, found auto: test persons answer themselves';
    const hint = 'set INNSIGLI_SIMULATOR_MODE=manual where logins are started, and here';
    throw new InnsigliError('config.invalid', message, { hint });
  }
  return openFiles(context);
}

async function openFiles({ config, io }: Context) {
  const { verdictFiles } = await import('../../adapters/eid/index.ts');
  return verdictFiles(join(config.dataDir, 'simulator'), io.now);
}

async function readScenarios(path: string) {
  const { readFile, stat } = await import('node:fs/promises');
  const { parseScenarios } = await import('../../adapters/eid/index.ts');
  const refuse = (why: string, cause?: unknown): never => {
    throw new InnsigliError('config.invalid', `simulator.scenarios: ${path}: ${why}`, { cause });
  };
  try {
    const { size } = await stat(path);
    if (size > SCENARIO_BYTES_MAX) return refuse(`expected at most ${SCENARIO_BYTES_MAX} bytes`);
    const found = parseScenarios(await readFile(path, 'utf8'));
    return typeof found === 'string' ? refuse(found) : found;
  } catch (error) {
    if (error instanceof InnsigliError) throw error;
    return refuse('it cannot be read', error);
  }
}

const SCENARIO_BYTES_MAX = 1024 * 1024;
