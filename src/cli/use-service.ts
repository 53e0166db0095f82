import type { CompanyService } from '../app/company-service.ts';
import type { ResolvedConfig } from '../wire/config/config.ts';
import type { Service } from '../wire/service/service.types.ts';
import type { Toolkit } from '../wire/toolkit.types.ts';
import { type CommandContext, loadConfig, openToolkit, type ServiceContext } from './context.ts';

/** Runs `work` with the signing service of the user's company and closes it afterwards. */
export function useService<T>(
  context: CommandContext,
  work: (service: CompanyService, context: ServiceContext) => Promise<T>,
): Promise<T> {
  return useCompanies(context, async (service, { config }) => {
    const own = await service.open(context.globals.company);
    const operator = await operatorOf(context, config.dataDir, own);
    return work(own, { ...context, dataDir: config.dataDir, operator });
  });
}

/** The operator logged in here, as named in the log. */
async function operatorOf(
  { io, console }: CommandContext,
  dataDir: string,
  service: CompanyService,
): Promise<string> {
  const { findOperator, operatorName } = await import('../wire/files/operator-session.ts');
  const found = findOperator(dataDir, service, io.now());
  if (found.state === 'open') return operatorName(found.session);
  if (found.state === 'foreign') console.detail(`operator.json was ignored: ${found.why}`);
  return 'System';
}

/** An opened service's toolkit and configuration. */
export interface OpenedService {
  readonly toolkit: Toolkit;
  readonly config: ResolvedConfig;
}

/**
 * Runs `work` with the signing service of all companies and closes it afterwards.
 *
 * @param mustExist false: the service is created if the data directory has none
 * @param refused returns the error to report if it cannot be opened
 */
export async function useCompanies<T>(
  context: CommandContext,
  work: (service: Service, opened: OpenedService) => Promise<T>,
  mustExist = true,
  refused: (error: unknown, opened: OpenedService) => Promise<unknown> = async (error) => error,
): Promise<T> {
  const { config } = await loadConfig(context, {});
  const toolkit = await openToolkit(context, config);
  const service = await toolkit.service({ mustExist }).catch(async (error: unknown) => {
    throw await refused(error, { toolkit, config });
  });
  try {
    return await work(service, { toolkit, config });
  } finally {
    await service.close();
    toolkit.close();
  }
}
