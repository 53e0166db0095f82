import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { defined } from '../../base/defined.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';

/** Certificate and key with which a client authenticates to a server. */
export type ClientCertificate =
  | {
      /** PEM; the client's certificate first, followed by its issuers. */
      readonly certificate: string;
      /** Private key, PEM. */
      readonly key: string;
      /** Passphrase of an encrypted key. */
      readonly passphrase?: string | undefined;
    }
  | {
      /** A PKCS #12 file. */
      readonly pfx: Uint8Array;
      readonly passphrase: string;
    };

/** Trusted authorities and client certificate for TLS. */
export interface TlsIdentity {
  /** PEM of authorities that replace the built-in ones. */
  readonly ca?: string | undefined;
  /** Presented to servers only, never to the proxy. */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** TLS connection options created by {@link tlsOptionsOf}. */
export type TlsOptions = Pick<ConnectionOptions, 'secureContext' | 'checkServerIdentity'>;

/** Maximum length of a server's certificate chain. */
const CHAIN_MAX = 8;

/**
 * Options for connections with TLS 1.2 or later; empty if the defaults suffice.
 *
 * @throws config.invalid if certificate, key and passphrase do not match
 */
export async function tlsOptionsOf({ ca, clientCertificate }: TlsIdentity): Promise<TlsOptions> {
  if (ca === undefined && clientCertificate === undefined) return {};
  const tls = await import('node:tls');
  const authorities = ca === undefined ? {} : { ca };
  const common = { ...authorities, minVersion: 'TLSv1.2' } as const;
  try {
    const secureContext = tls.createSecureContext({ ...common, ...shown(clientCertificate) });
    if (ca === undefined || clientCertificate === undefined || !('pfx' in clientCertificate)) {
      return { secureContext };
    }
    const isRooted = await chainCheck(ca);
    const checkServerIdentity = (host: string, certificate: PeerCertificate) => {
      const fault = tls.checkServerIdentity(host, certificate);
      if (fault !== undefined || isRooted(certificate)) return fault;
      const message =
        'the certificate of the server does not chain to any of the given authorities';
      return Object.assign(new Error(message), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    };
    return { secureContext, checkServerIdentity };
  } catch (cause) {
    const message = `the client certificate cannot be used: ${reasonOf(cause)}`;
    throw new InnsigliError('config.invalid', message, {
      hint: 'check certificate, key and passphrase',
    });
  }
}

function shown(given: ClientCertificate | undefined) {
  if (given === undefined) return {};
  if ('pfx' in given) return { pfx: Buffer.from(given.pfx), passphrase: given.passphrase };
  const { certificate, key, passphrase } = given;
  return { cert: certificate, key, ...defined({ passphrase }) };
}

/**
 * Node also trusts the authorities in a client's PKCS #12 file for servers. This check requires the
 * signatures of a server's chain to lead to one of the given authorities.
 */
async function chainCheck(ca: string): Promise<(leaf: PeerCertificate) => boolean> {
  const { X509Certificate: Parsed } = await import('node:crypto');
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  const roots = blocks.map((pem) => new Parsed(pem));
  const isBelow = (certificate: X509Certificate, issuer: X509Certificate) =>
    certificate.checkIssued(issuer) &&
    attemptAny(() => certificate.verify(issuer.publicKey)) === true;
  return (leaf) => {
    let given = leaf as PeerCertificate & { issuerCertificate?: PeerCertificate };
    let current = new Parsed(given.raw);
    for (let count = 0; count < CHAIN_MAX; count++) {
      if (roots.some((root) => root.raw.equals(current.raw) || isBelow(current, root))) return true;
      const above = given.issuerCertificate as typeof given | undefined;
      if (above === undefined || above.raw.equals(current.raw)) return false;
      const issuer = new Parsed(above.raw);
      if (!isBelow(current, issuer)) return false;
      current = issuer;
      given = above;
    }
    return false;
  };
}

/** Describes an OpenSSL error without revealing content of the files. */
function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : '';
  if (/mac verify failure|bad decrypt|password|passphrase/i.test(text)) {
    return 'the passphrase is incorrect or missing';
  }
  if (/key values mismatch/i.test(text)) return 'the key belongs to a different certificate';
  if (/unsupported/i.test(text)) {
    return 'its format or encryption is not supported: export it again with AES-256';
  }
  return 'it cannot be read';
}
