import type { DevelopmentTrust } from '../adapters/devtrust/index.ts';
import { InnsigliError } from '../base/errors.ts';
import { describeName } from '../formats/x509/index.ts';
import { internCertificate } from '../trust/certificates.ts';
import type { VerificationReport } from '../verify/report/index.ts';
import type { ResolvedConfig } from './config/config.ts';
import type { ToolkitIo } from './toolkit.types.ts';

/** Access to the development trust, which is opened once, on first use. */
export interface DevelopmentAccess {
  /**
   * Opens the development trust, and creates it if it does not exist.
   *
   * @throws config.invalid in production
   */
  use(): Promise<DevelopmentTrust>;
  /**
   * Warns the user that test keys are in use, once per message. Called when one of them signs.
   *
   * @param message replaces the default one, for keys that are only trusted
   */
  announce(message?: string): void;
  /** Opens the development trust only if it exists, so that reading its root creates nothing. */
  existing(): Promise<DevelopmentTrust | undefined>;
}

/** Access to the development trust in the data directory of the configuration. */
export function developmentAccess(config: ResolvedConfig, io: ToolkitIo): DevelopmentAccess {
  let opened: Promise<DevelopmentTrust> | undefined;
  const announced = new Set<string>();
  let place = '';
  const open = async () => {
    const { hasDevelopmentTrust, openDevelopmentTrust } = await import(
      '../adapters/devtrust/index.ts'
    );
    if (!(await hasDevelopmentTrust(config.dataDir))) place = `, created in ${config.dataDir}`;
    return openDevelopmentTrust({
      directory: config.dataDir,
      now: io.now,
      random: io.random,
    });
  };
  return {
    async use() {
      if (config.production) {
        throw new InnsigliError(
          'config.invalid',
          'production does not allow the development trust',
          {
            hint: 'configure key, tsa and trust; show the settings with innsigli config explain',
          },
        );
      }
      opened ??= open();
      return opened;
    },
    announce(message = `development trust in use${place}: TEST ONLY keys, of no legal value`) {
      if (announced.has(message)) return;
      announced.add(message);
      io.warn(message, 'trust.development');
    },
    async existing() {
      if (opened !== undefined) return opened;
      const { hasDevelopmentTrust } = await import('../adapters/devtrust/index.ts');
      if (config.production || !(await hasDevelopmentTrust(config.dataDir))) return undefined;
      opened = open();
      return opened;
    },
  };
}

/** What a report trusts through the development root: a signature, or time-stamps only. */
export async function findTestKeys(
  report: VerificationReport,
  development: DevelopmentAccess,
): Promise<'signature' | 'time-stamp' | undefined> {
  const trust = await development.existing();
  if (trust === undefined) return undefined;
  const root = describeName(internCertificate(trust.rootCertificate).subjectDer);
  const signatures: readonly VerificationReport['signatures'][number][] = report.signatures;
  const own = signatures.filter(({ anchor }) => anchor === root);
  if (own.some(({ kind }) => kind === 'signature')) return 'signature';
  const isStamped = signatures.some((each) => each.timestamps.some((one) => one.anchor === root));
  return own.length > 0 || isStamped ? 'time-stamp' : undefined;
}
