import type { OpenOptions } from '../../formats/pdf/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { RevocationSource, Signer } from '../../seal/ports.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadCertificates, readPassword } from '../files/files.ts';
import { type GivenValidationData, loadValidationData } from '../files/validation-files.ts';
import type { ToolkitIo } from '../toolkit.types.ts';
import {
  type CountedAuthority,
  countRequests,
  type OpenAuthority,
  openAuthority,
  openRevocation,
} from './outside-parties.ts';
import { openSigner, type SignerWishes } from './signer.ts';

/**
 * The key, the anchors and the outside parties of one toolkit: each is opened when it is first
 * needed and kept for every later seal. What could not be opened is tried again.
 */
export interface OpenedParties {
  signer(wishes: SignerWishes): Promise<Signer>;
  /** Of the configuration only. */
  anchors(): Promise<readonly Certificate[]>;
  /** Counts from now on. */
  authority(anchors: readonly Certificate[]): Promise<CountedAuthority>;
  revocation(): Promise<RevocationSource>;
  /** Certificates that help to build paths, DER. */
  certificates(): Promise<readonly Uint8Array[]>;
  /** How to open encrypted documents. */
  opening(): Promise<OpenOptions>;
  /** Closes connections; what is needed later is opened again. */
  close(): void;
}

/** Nothing is opened yet. */
export function openedParties(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  io: ToolkitIo,
): OpenedParties {
  const signers = kept<Signer>();
  const anchors = kept<readonly Certificate[]>();
  const authorities = kept<OpenAuthority>();
  const revocations = kept<RevocationSource>();
  const openings = kept<OpenOptions>();
  const given = kept<GivenValidationData>();
  const validationData = () => given.get('', () => loadValidationData(config.validationData));
  // The embedded authority needs no rest between requests.
  const before = config.tsa.length > 0 ? io.beforeTimestamp : undefined;
  return {
    signer: (wishes) =>
      signers.get(`${wishes.digest} ${wishes.scheme}`, () =>
        openSigner(config, wishes, development, io),
      ),
    anchors: () => anchors.get('', () => loadCertificates(config.trust)),
    async authority(trusted) {
      // Answers are checked against the anchors: other anchors, another check.
      const names = trusted.map(({ der }) => Buffer.from(der).toString('base64')).join();
      const open = () => openAuthority(config, development, io, trusted);
      return countRequests((await authorities.get(names, open)).authority, before);
    },
    revocation: () =>
      revocations.get('', async () => openRevocation(config, development, await validationData())),
    certificates: async () => (await validationData()).certificates,
    opening: () =>
      openings.get('', async () => {
        const { pdfPasswordFile } = config;
        if (pdfPasswordFile === undefined) return {};
        return { password: await readPassword(pdfPasswordFile, io) };
      }),
    close() {
      for (const one of authorities.all()) void one.then(({ close }) => close());
      authorities.clear();
    },
  };
}

function kept<T>() {
  const values = new Map<string, Promise<T>>();
  return {
    get(key: string, open: () => Promise<T>): Promise<T> {
      let value = values.get(key);
      if (value === undefined) {
        value = open();
        values.set(key, value);
        value.catch(() => values.delete(key));
      }
      return value;
    },
    all: () => [...values.values()],
    clear: () => values.clear(),
  };
}
