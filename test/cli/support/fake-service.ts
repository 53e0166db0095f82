import type { Service, ServiceToolkit } from '../../../src/wire/service/service.types.ts';
import type { Toolkit } from '../../../src/wire/toolkit.types.ts';

/** A toolkit whose service has the given parts and nothing else. */
export function withService(parts: Partial<ServiceToolkit>): Partial<Toolkit> {
  const service = {
    open: () => Promise.resolve(parts as ServiceToolkit),
    work: parts.work,
    enter: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { service: () => Promise.resolve(service as unknown as Service), close: () => undefined };
}
