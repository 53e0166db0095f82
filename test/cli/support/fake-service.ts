import type { CompanyService } from '../../../src/app/company-service.ts';
import type { Service } from '../../../src/wire/service/service.types.ts';
import type { Toolkit } from '../../../src/wire/toolkit.types.ts';

/** A toolkit whose service has only the given parts. */
export function withService(parts: Partial<CompanyService>): Partial<Toolkit> {
  const service = {
    open: () => Promise.resolve(parts as CompanyService),
    work: parts.runDueJobs,
    enter: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { service: () => Promise.resolve(service as unknown as Service), close: () => undefined };
}
