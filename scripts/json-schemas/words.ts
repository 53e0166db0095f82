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

/** The bodies of each command, without what all documents of --json have. */
export type Shapes = Readonly<Record<string, readonly ReturnType<typeof members>[]>>;

/** An object with these members and no others; one with a title stands once in each file. */
export function members<T extends TProperties>(properties: T, title?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title === undefined ? {} : { title }),
  });
}

/** One of these words. */
export function oneOf(...words: readonly string[]) {
  return Type.Unsafe<string>({ type: 'string', enum: [...words] });
}

/** The same schema with a sentence about it. */
export function about<T extends TSchema>(description: string, schema: T): T {
  return { ...schema, description };
}

/** A member that may be left out. */
export const opt = Type.Optional;
/** A list. */
export const list = Type.Array;
/** Any text. */
export const text = Type.String();
/** An integer. */
export const whole = Type.Integer();
/** True or false. */
export const flag = Type.Boolean();
/** A moment in ISO 8601. */
export const moment = Type.String({
  description: 'ISO 8601, UTC',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?$',
});

/** Main indications of ETSI EN 319 102-1 §5.1.3. */
export const indication = oneOf('TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED');
/** Baseline levels. */
export const level = oneOf(...sealLevels);
/** How much is covered. */
export const coverage = oneOf('full', 'partial', 'none');
/** How a signee signs. */
export const signatureType = oneOf(...signatureTypes);
/** How a signee is written to. */
export const delivery = oneOf(...deliveryTypes);
/** Statuses of processes and sequences. */
export const processStatus = oneOf(...processStatuses);
/** Types of flows. */
export const flowType = oneOf(...flowTypes);
/** Types of webhook events. */
export const eventType = { ...oneOf(...Object.keys(webhookTypes)), title: 'EventType' };
/** The judgement on one signature of a webhook. */
export const signatureVerdict = Type.Union([
  members({ isValid: Type.Literal(true), atMs: whole }),
  members({
    isValid: Type.Literal(false),
    fault: oneOf('missing', 'malformed', 'mismatch', 'too old', 'too new'),
  }),
]);
/** An error as data. */
export const errorData = members(
  {
    code: { ...oneOf(...Object.keys(errorKinds)), title: 'ErrorCode' },
    message: text,
    hint: opt(text),
    details: Type.Record(text, Type.Union([text, Type.Number(), flag])),
  },
  'ErrorData',
);
