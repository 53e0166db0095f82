import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { defined } from '../../base/defined.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';

/** Certificate and key that a client shows to a server which asks for them. */
export type ClientCertificate =
  | {
      /** PEM; that of the client first, those of its issuers after it. */
      readonly certificate: string;
      /** PEM of the private key. */
      readonly key: string;
      /** Of an encrypted key. */
      readonly passphrase?: string | undefined;
    }
  | {
      /** PKCS #12 file. */
      readonly pfx: Uint8Array;
      readonly passphrase: string;
    };

/** Whom a client trusts, and what it shows of itself. */
export interface TlsIdentity {
  /** PEM of authorities for TLS in the place of the built-in ones. */
  readonly ca?: string | undefined;
  /** Shown to servers only, never to the proxy. */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** The part of the options of a TLS connection that {@link tlsOptionsOf} makes. */
export type TlsOptions = Pick<ConnectionOptions, 'secureContext' | 'checkServerIdentity'>;

/** A longer chain of a server is refused. */
const CHAIN_MAX = 8;

/**
 * Options for connections of TLS 1.2 or newer; empty where the usual ones do.
 *
 * @throws config.invalid when certificate, key and passphrase do not belong together
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
        'the certificate of the server does not chain to any of the given ' + 'authorities';
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
 * Node trusts the authorities inside a PKCS #12 file for servers, too. The check has every
 * signature of the chain lead to one of the given authorities, and to no other.
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

/** What OpenSSL says, in words that hold nothing of the files. */
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
