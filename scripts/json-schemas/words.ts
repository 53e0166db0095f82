import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { errorKinds } from '../../src/base/errors.ts';
import { sealLevels } from '../../src/base/level.ts';
import { flowTypes } from '../../src/domain/flow/index.ts';
import {
  deliveryTypes,
  processStatuses,
  signatureTypes,
  webhookTypes,
} from '../../src/domain/process/index.ts';

/** Documents of each command, without the members common to all documents of --json. */
export type Shapes = Readonly<Record<string, readonly ReturnType<typeof members>[]>>;

/**
 * Returns an object schema without additional members. With a title, it is in `$defs` of each file.
 */
export function members<T extends TProperties>(properties: T, title?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title === undefined ? {} : { title }),
  });
}

/** Returns a string schema with these values. */
export function oneOf(...words: readonly string[]) {
  return Type.Unsafe<string>({ type: 'string', enum: [...words] });
}

/** Returns the schema with a description. */
export function about<T extends TSchema>(description: string, schema: T): T {
  return { ...schema, description };
}

/** Marks a member as optional. */
export const opt = Type.Optional;
/** Schema of a list. */
export const list = Type.Array;
/** Schema of any string. */
export const text = Type.String();
/** Schema of an integer. */
export const whole = Type.Integer();
/** Schema of a boolean. */
export const flag = Type.Boolean();
/** Schema of a time in ISO 8601. */
export const moment = Type.String({
  description: 'ISO 8601, UTC',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?$',
});

/** Main indications of ETSI EN 319 102-1 §5.1.3. */
export const indication = oneOf('TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED');
/** Baseline levels. */
export const level = oneOf(...sealLevels);
/** Extent of the coverage. */
export const coverage = oneOf('full', 'partial', 'none');
/** Signature types of signees. */
export const signatureType = oneOf(...signatureTypes);
/** Delivery types of signees. */
export const delivery = oneOf(...deliveryTypes);
/** Statuses of processes and sequences. */
export const processStatus = oneOf(...processStatuses);
/** Types of flows. */
export const flowType = oneOf(...flowTypes);
/** Types of webhook events. */
export const eventType = { ...oneOf(...Object.keys(webhookTypes)), title: 'EventType' };
/** Result of verifying one signature of a webhook. */
export const signatureVerdict = Type.Union([
  members({ isValid: Type.Literal(true), atMs: whole }),
  members({
    isValid: Type.Literal(false),
    fault: oneOf('missing', 'malformed', 'mismatch', 'too old', 'too new'),
  }),
]);
/** An error as an object. */
export const errorData = members(
  {
    code: { ...oneOf(...Object.keys(errorKinds)), title: 'ErrorCode' },
    message: text,
    hint: opt(text),
    details: Type.Record(text, Type.Union([text, Type.Number(), flag])),
  },
  'ErrorData',
);
