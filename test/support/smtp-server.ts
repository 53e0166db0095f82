import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { newTemporaryFolder } from './folders.ts';

/** A mail as received by the server. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** A real SMTP server on this machine. */
export interface TestSmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Behaviour of a server; by default it accepts everything without TLS. */
export interface TestSmtpOptions extends SMTPServerOptions {
  /** The reply to a connection, EHLO or MAIL FROM, such as `550 5.7.1 not you`. */
  readonly refuse?: { readonly [at in 'connect' | 'sender' | 'recipient' | 'data']?: string };
  /** The reply to RCPT TO: a status, or undefined to accept. */
  readonly check?: (address: string) => number | undefined;
  /** The reply to the end of the data. */
  readonly judgeData?: () => number | 'drop' | undefined;
}

/** Starts a server on a free port. */
export async function startSmtpServer(options: TestSmtpOptions = {}): Promise<TestSmtpServer> {
  const { check, judgeData, refuse = {}, ...rest } = options;
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: rest.key === undefined ? ['STARTTLS'] : [],
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      done(verbatim(refuse.connect));
    },
    onMailFrom(_address, _session, done) {
      done(verbatim(refuse.sender));
    },
    onRcptTo({ address }, _session, done) {
      if (refuse.recipient !== undefined) return done(verbatim(refuse.recipient));
      const status = check?.(address);
      done(status === undefined ? null : answer(status, `no ${address} here`));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuse.data !== undefined) return done(verbatim(refuse.data));
        const verdict = judgeData?.();
        if (verdict === 'drop') {
          for (const each of server.connections) (each as { close(): void }).close();
          return;
        }
        if (verdict !== undefined) {
          done(answer(verdict, 'not this one'));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          isSecure: session.secure,
          user: session.user as string | undefined,
        });
        done();
      });
    },
    ...rest,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A key with a self-signed certificate for `localhost`. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const folder = newTemporaryFolder('smtp');
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...made, ...subject, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function verbatim(words: string | undefined): Error | null {
  return words === undefined ? null : answer(Number(words.slice(0, 3)), words.slice(4));
}

function answer(status: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: status });
}
