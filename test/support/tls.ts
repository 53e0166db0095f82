import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import forge from 'node-forge';
import { onTestFinished } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { keyUsageBits } from '../../src/formats/x509/index.ts';
import type { TestMember, TestPki } from './pki.ts';

/** A certificate or key as PEM. */
export function pemOf(der: Uint8Array, label = 'CERTIFICATE'): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The private key of a member as PKCS #8 PEM, encrypted if a passphrase is given. */
export function keyPemOf({ privateKey }: TestMember, passphrase?: string): string {
  const form = { format: 'pem', type: 'pkcs8' } as const;
  if (passphrase === undefined) return privateKey.export(form) as string;
  return privateKey.export({ ...form, cipher: 'aes-256-cbc', passphrase }) as string;
}

/** Certificates of a member and its issuers, without the root, as PEM. */
export function chainPemOf({ der, chain }: TestMember): string {
  return [der, ...chain.slice(0, -1)].map((each) => pemOf(each)).join('');
}

/** A certificate for TLS servers on 127.0.0.1. */
export function issueServer(pki: TestPki, issuer = pki.member('ca')): TestMember {
  const address = Uint8Array.of(0x87, 4, 127, 0, 0, 1);
  const others = [{ name: '2.5.29.17', critical: false, value: der.sequence(address) }];
  return pki.issue({
    name: 'tls server',
    issuer,
    extensions: {
      keyUsage: keyUsageBits.digitalSignature,
      extendedKeyUsage: [oids.serverAuth],
      others,
    },
  });
}

/** A certificate for TLS clients with an RSA key. */
export function issueClient(pki: TestPki, name = 'tls client'): TestMember {
  return pki.issue({
    name,
    key: 'RSA-2048',
    extensions: {
      keyUsage: keyUsageBits.digitalSignature,
      extendedKeyUsage: ['1.3.6.1.5.5.7.3.2'],
    },
  });
}

/** PKCS #12 of a member and its issuers, all with RSA keys, by a different implementation. */
export function pkcs12Of(member: TestMember, passphrase: string): Uint8Array {
  const chain = [member.der, ...member.chain].map(forgeCertificate);
  const key = forge.pki.privateKeyFromPem(
    member.privateKey.export({ format: 'pem', type: 'pkcs1' }) as string,
  );
  const options = { algorithm: 'aes256' } as const;
  const asn1 = forge.pkcs12.toPkcs12Asn1(key, chain, passphrase, options);
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
}

function forgeCertificate(bytes: Uint8Array): forge.pki.Certificate {
  return forge.pki.certificateFromPem(pemOf(bytes));
}

/** A request as seen by a server. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Common name of the client certificate. Empty if there is none. */
  readonly client: string;
  readonly protocol: string;
}

/** A TLS server on 127.0.0.1 that stops at the end of the test. */
export async function serveTls(
  pki: TestPki,
  listener: RequestListener,
  options: { readonly server?: TestMember; readonly asks?: boolean } = {},
): Promise<{ readonly url: string; readonly seen: SeenRequest[] }> {
  const { server: member = issueServer(pki), asks = true } = options;
  const seen: SeenRequest[] = [];
  const server: Server = createServer(
    {
      cert: chainPemOf(member),
      key: keyPemOf(member),
      ca: pemOf(pki.member('root').der),
      requestCert: asks,
      rejectUnauthorized: asks,
    },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string } };
      seen.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        client: subject?.CN ?? '',
        protocol: socket.getProtocol() ?? '',
      });
      listener(request, response);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
