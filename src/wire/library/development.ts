import {
  type DevelopmentTrust,
  openDevelopmentTrust as open,
} from '../../adapters/devtrust/index.ts';
import {
  localTimestampAuthority as local,
  type TimestampIdentity,
} from '../../adapters/tsa/index.ts';
import { requireGiven } from '../../base/given.ts';
import { readableOptions } from '../../base/taken.ts';
import type { RandomSource, TimestampAuthority } from '../../seal/ports.ts';
import { takeClock, takeRandom } from './take-ports.ts';

/** Options of {@link localTimestampAuthority}. */
export interface LocalTimestampOptions extends TimestampIdentity {
  /** Clock. Default: the system clock. */
  readonly now?: () => Date;
  /** Returns `count` unpredictable bytes. Default: the system's random generator. */
  readonly random?: RandomSource;
}

const identityNames = { certificate: 1, chain: 1, privateKey: 1, policy: 1, digest: 1, name: 1 };
const ports = { now: 1, random: 1 };

/**
 * A time-stamp authority in this process, for tests and closed networks.
 *
 * @throws x509.invalid, key.mismatch, algorithm.unsupported, usage.invalid
 * @example
 * const trust = await openDevelopmentTrust({ directory: './data' });
 * const timestampAuthority = localTimestampAuthority(trust.tsa());
 */
export function localTimestampAuthority(options: LocalTimestampOptions): TimestampAuthority {
  const names = { ...identityNames, ...ports };
  const { now, random, ...identity } = readableOptions('localTimestampAuthority', options, names);
  return local({ ...identity, now: takeClock(now), random: takeRandom(random) });
}

/** Folder, clock and addresses of the development trust. */
export interface DevelopmentTrustOptions {
  /** The data directory. The PKI is stored in its folder `trust`. */
  readonly directory: string;
  /** Clock. Default: the system clock. */
  readonly now?: () => Date;
  /** Returns `count` unpredictable bytes. Default: the system's random generator. */
  readonly random?: RandomSource;
  /**
   * Base URL of the OCSP, CRL and issuer addresses in certificates issued from now on: `BASE/ocsp`,
   * `BASE/crl/NAME.crl`, `BASE/issuer/NAME.cer`. Default: http://127.0.0.1:8318.
   */
  readonly baseUrl?: string;
}

/**
 * Opens the development trust of a data directory, and creates it if it does not exist, which takes
 * about 0.2 s. Its signatures prove no identity.
 *
 * @throws config.datadir.unusable, usage.invalid
 * @example
 * const trust = await openDevelopmentTrust({ directory: './data' });
 * const signer = keyObjectSigner(trust.seal('ec'));
 */
export function openDevelopmentTrust(options: DevelopmentTrustOptions): Promise<DevelopmentTrust> {
  const names = { directory: 1, baseUrl: 1, ...ports };
  const { now, random, ...rest } = readableOptions('openDevelopmentTrust', options, names);
  requireGiven('directory', 'text', rest.directory, typeof rest.directory === 'string');
  return open({ ...rest, now: takeClock(now), random: takeRandom(random) });
}
