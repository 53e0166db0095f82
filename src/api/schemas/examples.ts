import { packageData } from '../../base/package-data.ts';

/** Request and responses of a route in the story that all examples share. */
interface RouteExamples {
  /** Values of path and query where they are not those of {@link Examples.parameters}. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Bodies of success by status. */
  readonly answers?: Readonly<Record<number, unknown>>;
  /** Codes that are the words of a provider and no codes of this service: code → sentence. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The examples of the description: `examples/http.json`. */
export interface Examples {
  /** Keys of what there is in the story. */
  readonly keys: Readonly<Record<ExampleKey, string>>;
  /** Names, times and addresses of the story. */
  readonly facts: Readonly<Record<ExampleFact, string>>;
  /** Values of path, query and header by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** By `METHOD /path`, in lower case: paths are found in any letter case. */
  readonly routes: Readonly<Record<string, RouteExamples>>;
}

/** Objects with a key in the story. */
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

/** A name, time or address of the story. */
type ExampleFact =
  | 'version'
  | 'owner'
  | 'fileName'
  | 'attachmentName'
  | 'createdAt'
  | 'signedAt'
  | 'expiresAt';

/** Examples of the description; the file is read on demand. */
export function readExamples(): Examples {
  return packageData('examples/http.json') as Examples;
}
