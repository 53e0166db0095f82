import { EidError } from '../../../app/ports/index.ts';
import { isRecord } from '../../../base/input.ts';
import {
  decodeBase64,
  findText,
  type ResponseObject,
  requireText,
  responseFault,
} from '../provider-answer.ts';
import { endResults } from './end-results.table.ts';
import { type CertificateLevel, type HashAlgorithm, hashAlgorithms } from './options.ts';

/** A completed authentication as received, with form and algorithm checked. */
export interface CompletedAuthentication {
  readonly documentNumber: string;
  readonly signature: Uint8Array;
  readonly serverRandom: string;
  readonly userChallenge: string;
  readonly flowType: string;
  readonly interactionTypeUsed: string;
  /** DER. */
  readonly certificate: Uint8Array;
  readonly certificateLevel: CertificateLevel;
}

const what = 'the status of the session';

/** Whether a session is still running. @throws EidError `invalidResponse` */
export function isRunning(body: ResponseObject): boolean {
  const state = requireText(body, 'state', what, 32);
  if (state !== 'RUNNING' && state !== 'COMPLETE') {
    throw responseFault(`${what}: expected RUNNING or COMPLETE`);
  }
  return state === 'RUNNING';
}

/**
 * Reads the result of a completed session to which the person has agreed.
 *
 * @throws EidError `invalidResponse`, or the meaning of the end result
 */
export function readCompleted(
  body: ResponseObject,
  hashAlgorithm: HashAlgorithm,
): CompletedAuthentication {
  const result = requireObject(body, 'result');
  const endResult = requireText(result, 'endResult', what, 64);
  if (endResult !== 'OK') throw resultError(endResult);
  if (findText(body, 'signatureProtocol') !== 'ACSP_V2') {
    throw responseFault(`${what}: expected the protocol ACSP_V2`);
  }
  const signature = requireObject(body, 'signature');
  checkAlgorithm(signature, hashAlgorithm);
  const certificate = requireObject(body, 'cert');
  return {
    documentNumber: requireText(result, 'documentNumber', what, 128),
    signature: decodeBase64(requireText(signature, 'value', what), 'the signature'),
    serverRandom: matched(signature, 'serverRandom', /^[A-Za-z0-9+/]{24,128}={0,2}$/),
    userChallenge: matched(signature, 'userChallenge', /^[\w-]{0,86}$/),
    flowType: requireText(signature, 'flowType', what, 32),
    interactionTypeUsed: matched(body, 'interactionTypeUsed', /^[A-Za-z]{1,64}$/),
    certificate: decodeBase64(requireText(certificate, 'value', what, 16_384), 'the certificate'),
    certificateLevel: levelOf(requireText(certificate, 'certificateLevel', what, 32)),
  };
}

function resultError(endResult: string): EidError {
  const known = Object.hasOwn(endResults, endResult) ? endResults[endResult] : undefined;
  const isCode = /^[A-Z_]{1,64}$/.test(endResult);
  const providerCode = isCode ? endResult : 'unknown';
  return new EidError(known ?? 'internalError', 'the session ended without OK', providerCode);
}

function requireObject(object: ResponseObject, member: string): ResponseObject {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (isRecord(value)) return value;
  throw responseFault(`${what}: expected an object in ${member}`);
}

/** A member that is delimited in the signed data must not contain the delimiter. */
function matched(object: ResponseObject, member: string, pattern: RegExp): string {
  const value = Object.hasOwn(object, member) ? object[member] : '';
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw responseFault(`${what}: ${member} is malformed`);
}

function levelOf(text: string): CertificateLevel {
  if (text === 'QUALIFIED' || text === 'ADVANCED') return text;
  throw responseFault(`${what}: expected a level of the certificate`);
}

/** Requires RSASSA-PSS with the requested parameters, whatever the signature would verify with. */
function checkAlgorithm(signature: ResponseObject, asked: HashAlgorithm): void {
  const parameters = requireObject(signature, 'signatureAlgorithmParameters');
  const mask = requireObject(parameters, 'maskGenAlgorithm');
  const isAsked =
    findText(signature, 'signatureAlgorithm') === 'rsassa-pss' &&
    findText(parameters, 'hashAlgorithm') === asked &&
    findText(mask, 'algorithm') === 'id-mgf1' &&
    findText(requireObject(mask, 'parameters'), 'hashAlgorithm') === asked &&
    parameters['saltLength'] === hashAlgorithms[asked].lengthBytes &&
    findText(parameters, 'trailerField') === '0xbc';
  if (!isAsked) throw responseFault(`${what}: expected RSASSA-PSS with ${asked} as requested`);
}
