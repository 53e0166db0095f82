import type { FastifyError } from 'fastify';
import { type ErrorCode, errorKinds, InnsigliError, isInnsigliError } from '../base/errors.ts';
import { type SchemaFault, schemaFaultText, valueAt } from './schema-fault.ts';

/** An invalid field of the request. */
export interface FieldFailure {
  readonly errorCode: string;
  /** Path of the member, in camel case: `createSignees[0].name`. */
  readonly fieldName: string;
  readonly message: string;
}

/** An error as it is reported to the client: it contains nothing secret. */
export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields: readonly FieldFailure[];
  /** Seconds to wait before retrying. */
  readonly retryAfterSeconds?: number;
  /** Error code of an e-ID provider, unchanged. */
  readonly providerCode?: string | undefined;
}

/** Parts of a request, named as Fastify's schema validation names them. */
export interface SentParts {
  readonly body?: unknown;
  readonly querystring?: unknown;
  readonly params?: unknown;
  readonly headers?: unknown;
}

/**
 * Returns the failure to report for any error that a request met.
 *
 * @param sent the parts of the request, so that a validation error can state what was found
 */
export function failureOf(error: unknown, sent: SentParts = {}): Failure {
  if (isInnsigliError(error)) return ofInnsigliError(error);
  const known = error as Partial<FastifyError>;
  if (known.validation !== undefined) return ofValidation(known, sent);
  const status = known.statusCode ?? 500;
  if (status === 413) return plain('limit.exceeded', 'the body exceeds the size limit');
  if (status === 415) {
    return plain('request.media.unsupported', 'unsupported Content-Type');
  }
  if (status >= 400 && status < 500) {
    return plain('validation.error', 'the request is not well-formed');
  }
  return plain('internal.unexpected', errorKinds['internal.unexpected'].summary);
}

/** Body of a failure. Its code and message appear where older and newer clients look for them. */
export function errorBody(
  errorCode: string,
  message: string,
  { fields = [], providerCode }: Partial<Pick<Failure, 'fields' | 'providerCode'>> = {},
): object {
  const errors = fields.length === 0 ? {} : { errors: fields };
  const meta = providerCode === undefined ? {} : { meta: { providerCode } };
  return { responseStatus: { errorCode, message, ...errors, ...meta }, errorCode, message };
}

/** Codes of states of the store, the log and the clock, which any request may meet. */
export const stateCodes = [
  ...(['store.busy', 'store.unavailable', 'store.readonly', 'store.full'] as const),
  ...(['store.replaced', 'clock.back', 'activity.chain.broken'] as const),
] satisfies readonly ErrorCode[];

/** Default of Retry-After for a temporary failure, in seconds, if the error has none. */
const UNAVAILABLE_SECONDS = 2;

/** Maximum size in bytes of one document, whether sent as it is or in base64. */
const DOCUMENT_BYTES_MAX = 50 * 1024 * 1024;

/** Returns the document if it is within the size limit. @throws limit.exceeded */
export function requireDocumentSize<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (bytes.length <= DOCUMENT_BYTES_MAX) return bytes;
  const expected = `expected a document of at most ${DOCUMENT_BYTES_MAX} bytes`;
  throw new InnsigliError('limit.exceeded', `${expected}, found ${bytes.length}`);
}

function plain(code: ErrorCode, message: string): Failure {
  return { status: errorKinds[code].httpStatus, code, message, fields: [] };
}

// Internal faults are for the operator of the service: paths and addresses appear only in the log.
function ofInnsigliError({ code, message, details }: InnsigliError): Failure {
  const { httpStatus: status, summary } = errorKinds[code] ?? errorKinds['internal.unexpected'];
  const field = details['field'];
  const fields =
    status === 400 && typeof field === 'string'
      ? [{ errorCode: code, fieldName: camelCase(field), message: withoutName(message, field) }]
      : [];
  const providerCode = providerCodeOf(code, details);
  const wait = details['retryAfterSeconds'] ?? (status === 503 ? UNAVAILABLE_SECONDS : undefined);
  return {
    status,
    code: code in errorKinds ? code : 'internal.unexpected',
    message: status >= 500 ? summary : message,
    fields,
    ...(providerCode === undefined ? {} : { providerCode }),
    ...(typeof wait === 'number' ? { retryAfterSeconds: Math.max(1, Math.ceil(wait)) } : {}),
  };
}

const ofProviders: readonly string[] = [
  'authentication.error.forbidden',
  'authentication.error.idp.start',
  'eid.provider.error',
] satisfies readonly ErrorCode[];

function providerCodeOf(code: string, details: InnsigliError['details']): string | undefined {
  const told = details['providerCode'];
  return ofProviders.includes(code) && typeof told === 'string' ? told : undefined;
}

/** The message without the member's name, which is reported beside it. */
export function withoutName(message: string, field: string): string {
  return message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

function ofValidation(
  { validation = [], validationContext = 'body' }: Partial<FastifyError>,
  sent: SentParts,
) {
  const part = sent[validationContext as keyof SentParts];
  const fields = validation.slice(0, 100).map((fault) => {
    const { instancePath, params } = fault as SchemaFault;
    const missing = params['missingProperty'];
    const path = instancePath.split('/').filter((name) => name !== '');
    const fieldName = fieldPath(typeof missing === 'string' ? [...path, missing] : path);
    const message = schemaFaultText(fault as SchemaFault, valueAt(part, instancePath));
    return { errorCode: 'validation.error', fieldName, message };
  });
  const [first] = fields;
  const where = first?.fieldName === '' ? validationContext : first?.fieldName;
  const message = `${where}: ${first?.message ?? 'is wrong'}`;
  return { ...plain('validation.error', message), fields };
}

function fieldPath(parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`;
    return path === '' ? camelCase(part) : `${path}.${camelCase(part)}`;
  }, '');
}

/** The name of a member as responses spell it. */
export function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
