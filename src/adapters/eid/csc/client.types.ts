import type { EidEnvironment } from '../../../app/ports/index.ts';
import type { CscSettings } from './options.ts';

/** What a provider says of itself. */
export interface CscInfo {
  /** Version of the API: `2.0.0.2`. */
  readonly specs: string;
  readonly methods: ReadonlySet<string>;
  /** Base of `oauth2/…`, without a slash at its end. */
  readonly authorizationServer: string;
  readonly hasDetails: boolean;
  readonly isAsynchronous: boolean;
}

/** A provider, and the means to ask it. */
export interface CscClient {
  readonly settings: CscSettings;
  readonly environment: EidEnvironment;
  /** The answer of `info`, asked for once in {@link CscSettings.infoMs}. */
  readInfo(): Promise<CscInfo>;
}
