import type { EidEnvironment } from '../../../app/ports/index.ts';
import type { CscSettings } from './options.ts';

/** What a provider states about itself. */
export interface CscInfo {
  /** Version of the API, such as `2.0.0.2`. */
  readonly specs: string;
  readonly methods: ReadonlySet<string>;
  /** Base URL of `oauth2/…`, without a trailing slash. */
  readonly authorizationServer: string;
  readonly hasDetails: boolean;
  readonly isAsynchronous: boolean;
}

/** Settings and environment for requests to a provider. */
export interface CscClient {
  readonly settings: CscSettings;
  readonly environment: EidEnvironment;
  /** The response of `info`, cached for {@link CscSettings.infoMs}. */
  readInfo(): Promise<CscInfo>;
}
