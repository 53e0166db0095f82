import { packageData } from '../../base/package-data.ts';

/** Request and responses of a route in the scenario that all examples share. */
interface RouteExamples {
  /** Path and query values that differ from {@link Examples.parameters}. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Bodies of successful responses by status. */
  readonly answers?: Readonly<Record<number, unknown>>;
  /** Texts of codes that belong to a provider rather than to this service. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The examples of the description: `examples/http.json`. */
export interface Examples {
  /** Keys of the objects in the scenario. */
  readonly keys: Readonly<Record<ExampleKey, string>>;
  /** Names, times and addresses in the scenario. */
  readonly facts: Readonly<Record<ExampleFact, string>>;
  /** Values of path, query and header parameters by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** By `METHOD /path` in lower case, because paths match in any letter case. */
  readonly routes: Readonly<Record<string, RouteExamples>>;
}

/** An object with a key in the scenario. */
type ExampleKey =
  | 'company'
  | 'flow'
  | 'process'
  | 'order'
  | 'terms'
  | 'qualified'
  | 'simple'
  | 'click'
  | 'added'
  | 'ofOrder'
  | 'ofTerms'
  | 'sequence'
  | 'person'
  | 'attachment'
  | 'token'
  | 'webhookSignature';

/** A name, time or address in the scenario. */
type ExampleFact =
  | 'version'
  | 'owner'
  | 'fileName'
  | 'attachmentName'
  | 'createdAt'
  | 'signedAt'
  | 'expiresAt';

/** Reads the examples of the description; the file is loaded on demand. */
export function readExamples(): Examples {
  return packageData('examples/http.json') as Examples;
}
