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

/** A time-stamp authority in this process. */
export interface LocalTimestampOptions extends TimestampIdentity {
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
  /** Gives `count` unpredictable bytes. Default: those of the system. */
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

/** Folder and clock of the development trust. */
export interface DevelopmentTrustOptions {
  /** The data directory; the PKI is in its folder `trust`. */
  readonly directory: string;
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
  /** Gives `count` unpredictable bytes. Default: those of the system. */
  readonly random?: RandomSource;
  /**
   * Base URL of OCSP responses, CRLs and issuers in certificates made from now on: `BASE/ocsp`,
   * `BASE/crl/NAME.crl`, `BASE/issuer/NAME.cer`. Default: http://127.0.0.1:8318.
   */
  readonly baseUrl?: string;
}

/**
 * The development trust of a data directory, made now when there is none: about 0.2 s, once. Its
 * signatures prove nothing about anybody.
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
