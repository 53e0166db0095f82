import type { CommonOptions } from '../options.ts';
import type { PromptName } from './callbacks.ts';

/** Options of the interface with call-backs. */
export interface RestOptions extends CommonOptions {
  /** Address that the contract names; nothing is ever called there. */
  readonly redirectUri: string;
  /** Version of the interface: `api_v200`, `api_v201` or `api_v202`. Default: `api_v200`. */
  readonly service?: string;
  /** Name of the cookie that holds the session. Default: `audsso`. */
  readonly sessionCookie?: string;
  /** How the client authenticates at the token endpoint. Default: `post`. */
  readonly clientAuthentication?: 'post' | 'basic';
  /** Title that the app shows, with `api_v202`. Default: none. */
  readonly appTitle?: string;
  /** Words by which prompts are known, where those of the provider have changed. */
  readonly prompts?: Partial<Readonly<Record<PromptName, string>>>;
}
