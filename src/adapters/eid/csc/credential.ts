import { EidError } from '../../../app/ports/index.ts';
import { equalBytes } from '../../../base/bytes.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { readCertificate, responseFault } from '../provider-answer.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import { requireMethod } from './info.ts';
import {
  asMembers,
  decodeBase64,
  listOf,
  type Members,
  memberOf,
  objectOf,
  requireText,
  textOf,
  textsOf,
} from './members.ts';
import { callMethod } from './requests.ts';
import { chooseSignature, type SignatureChoice } from './signature/signature-choice.ts';

/** A credential that is ready to sign. */
export interface Credential {
  readonly id: string;
  readonly certificate: Certificate;
  /** DER, that of the person first, followed by its path as far as the provider returns it. */
  readonly certificates: readonly Uint8Array[];
  readonly choice: SignatureChoice;
  readonly mode: 'explicit' | 'oauth2code';
  /** For explicit authorization: the authorising objects, and the expression that combines them. */
  readonly objectIds: readonly string[];
  readonly expression: string | undefined;
}

/** Number of credentials to list: enough to tell whether there is more than one. */
const LISTED = 2;

/** Maximum number of certificates in a path. */
const MOST_CERTIFICATES = 16;

/**
 * Finds the configured credential, or the only one listed, and checks what the provider states
 * about it.
 *
 * @throws EidError `accountUnusable` if its key is disabled or its SCAL is too low,
 *   `certificateErr` if its certificate is not valid, `notAUser` if there is none
 */
export async function findCredential(
  client: CscClient,
  info: CscInfo,
  token: string,
  wantedId: string | undefined = client.settings.credentialId,
): Promise<Credential> {
  const id = wantedId ?? (await onlyCredential(client, info, token));
  const body = { credentialID: id, certificates: 'chain', certInfo: true, authInfo: true };
  const members = await callMethod(client, 'credentials/info', body, token);
  return parseCredential(client, members, id);
}

async function onlyCredential(client: CscClient, info: CscInfo, token: string): Promise<string> {
  requireMethod(info, 'credentials/list');
  const body = { maxResults: LISTED, onlyValid: true };
  const answer = await callMethod(client, 'credentials/list', body, token);
  const ids = textsOf(answer, 'credentialIDs');
  if (ids === undefined) throw responseFault('member credentialIDs is missing');
  const [id] = ids;
  if (id === undefined) throw new EidError('notAUser', 'the provider lists no credential');
  if (ids.length === 1 && textOf(answer, 'nextPageToken') === undefined) return id;
  const message = 'the provider lists several credentials: set option credentialId';
  throw new EidError('internalError', message);
}

/** @spec CSC API §11.5 */
function parseCredential(
  { settings, environment }: CscClient,
  members: Members,
  id: string,
): Credential {
  const key = requireObject(members, 'key');
  const cert = requireObject(members, 'cert');
  const auth = requireObject(members, 'auth');
  requireEnabled(key);
  const certificates = certificatesOf(cert);
  const certificate = requireValid(cert, certificates, environment.now());
  requireControl(members, settings.leastScal);
  environment.trust.requirePath(certificates, settings.anchors, environment.now());
  const objects = listOf(auth, 'objects', 16) ?? [];
  return {
    id,
    certificate,
    certificates,
    choice: chooseSignature(settings, certificate, textsOf(key, 'algo') ?? []),
    mode: modeOf(auth),
    objectIds: objects.map((object) => requireText(asMembers(object, 'an object'), 'id')),
    expression: textOf(auth, 'expression'),
  };
}

function requireObject(members: Members, name: string): Members {
  const found = objectOf(members, name);
  if (found === undefined) throw responseFault(`member ${name} is missing`);
  return found;
}

function requireEnabled(key: Members): void {
  const status = requireText(key, 'status');
  if (status === 'enabled') return;
  throw new EidError('accountUnusable', 'the key of the credential is not enabled', status);
}

function certificatesOf(cert: Members): readonly Uint8Array[] {
  const texts = textsOf(cert, 'certificates') ?? [];
  if (texts.length === 0) throw responseFault('member certificates is missing');
  if (texts.length > MOST_CERTIFICATES) throw responseFault('the path of certificates is too long');
  const all = texts.map((text) => decodeBase64(text, 'a certificate'));
  return all.filter((der, index) => all.findIndex((other) => equalBytes(der, other)) === index);
}

/** The certificate of the person, checked by its status at the provider and its validity period. */
function requireValid(cert: Members, [der]: readonly Uint8Array[], nowMs: number): Certificate {
  const status = textOf(cert, 'status') ?? 'valid';
  if (status !== 'valid') {
    throw new EidError('certificateErr', 'the certificate of the credential is not valid', status);
  }
  const certificate = readCertificate(der as Uint8Array, 'the certificate of the credential');
  if (nowMs < certificate.notBeforeMs || nowMs > certificate.notAfterMs) {
    throw new EidError('certificateErr', 'the certificate of the credential has expired');
  }
  return certificate;
}

/** Requires the sole control assurance level, and at least one signature per authorization. */
function requireControl(members: Members, least: '1' | '2'): void {
  const scal = textOf(members, 'SCAL') ?? '1';
  if (least === '2' && scal !== '2') {
    throw new EidError('accountUnusable', 'the credential does not have SCAL 2');
  }
  const count = memberOf(members, 'multisign');
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) {
    throw responseFault('member multisign: expected a count of at least 1');
  }
}

function modeOf(auth: Members): Credential['mode'] {
  const mode = requireText(auth, 'mode');
  if (mode === 'explicit' || mode === 'oauth2code') return mode;
  throw new EidError('internalError', 'the credential has a mode that is not supported', mode);
}
