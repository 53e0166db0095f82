import { makeTestPki } from '../pki.ts';
import { chainPemOf, issueClient, keyPemOf, pemOf, serveTls } from '../tls.ts';
import { type BankidPki, bankidPki } from './bankid-answer.ts';
import { type BankidServer, bankidServer } from './bankid-server.ts';

/** The test BankID on a local address. */
export interface BankidPlace {
  readonly url: string;
  readonly server: BankidServer;
  readonly certificates: BankidPki;
  /** Files referenced by a configuration, with their contents. */
  readonly files: Readonly<Record<'root.pem' | 'tls-ca.pem' | 'rp.pem' | 'rp.key', string>>;
}

let made: ReturnType<typeof makeKeys> | undefined;

/** Certificates of BankID and of the connection: created once, as servers only read them. */
function keys() {
  made ??= makeKeys();
  return made;
}

function makeKeys() {
  const pki = makeTestPki({ nowMs: Date.now() });
  const certificates = bankidPki(makeTestPki({ nowMs: Date.now() }));
  return { certificates, pki, client: issueClient(pki) };
}

/** Serves BankID by mutual TLS until the test has ended. */
export async function serveBankid(
  person: { readonly number: string; readonly name: string },
  now: () => number,
): Promise<BankidPlace> {
  const { certificates, pki, client } = keys();
  const user = { personalNumber: person.number, name: person.name };
  const server = bankidServer({ certificates, person: certificates.person(person), user, now });
  const { url } = await serveTls(pki, async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { method = '', url: path = '', headers } = request;
    const answer = server.handle({ method, path, headers, body, client: 'by TLS' });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const files = {
    'root.pem': pemOf(certificates.root.der),
    'tls-ca.pem': pemOf(pki.member('root').der),
    'rp.pem': chainPemOf(client),
    'rp.key': keyPemOf(client),
  };
  return { url: `${url}/rp/v6.0/`, server, certificates, files };
}
