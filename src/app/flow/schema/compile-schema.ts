import type { AnySchemaObject, ErrorObject, FuncKeywordDefinition, Options } from 'ajv';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { isDay } from '../../../base/time/day.ts';
import {
  checkSchemaText,
  compilePattern,
  type FlowValue,
  type FlowValues,
  PatternWorkExceeded,
  requireValues,
  valuePointer,
  type WorkMeter,
} from '../../../domain/flow/index.ts';

/** Maximum number of steps of patterns and comparisons in one validation: about a second. */
const stepsMax = 20_000_000;
/** Steps for serializing a value in order to compare it with others. */
const STEPS_OF_VALUE = 8;
/** Maximum number of faults in a message. */
const faultsShown = 10;

/** Validates values against a schema. */
export interface SchemaValidator {
  /** @throws flow.values.invalid naming the invalid members, never their values */
  require(values: FlowValues): void;
}

/**
 * Compiles the schema in `text`. Nothing is loaded, and no pattern can make it slow.
 *
 * @throws flow.schema.invalid
 */
export async function compileSchema(text: string): Promise<SchemaValidator> {
  const { schema, draft } = checkSchemaText(text);
  const meter: WorkMeter = { stepsLeft: stepsMax };
  const options = optionsWith(meter);
  const ajv =
    draft === '2020-12'
      ? new (await import('ajv/dist/2020.js')).Ajv2020(options)
      : new (await import('ajv')).Ajv(options);
  let validate: ReturnType<typeof ajv.compile>;
  try {
    ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems(meter));
    validate = ajv.compile(schema as AnySchemaObject);
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message.slice(0, 300) : 'it cannot be compiled';
    throw new InnsigliError('flow.schema.invalid', `schema: ${why}`, { cause });
  }
  return {
    require(values) {
      requireValues(values);
      meter.stepsLeft = stepsMax;
      const isFit = guarded(() => validate(values));
      if (isFit !== true) throw misfit(validate.errors ?? []);
    },
  };
}

function guarded(check: () => unknown): unknown {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof PatternWorkExceeded) && !(cause instanceof RangeError)) throw cause;
    const message = 'values: checking them exceeds a limit';
    throw new InnsigliError('flow.values.invalid', message, { cause });
  }
}

function optionsWith(meter: WorkMeter): Options {
  const engine = (source: string) => {
    const pattern = compilePattern(source, meter);
    if (typeof pattern !== 'string') return pattern;
    throw new InnsigliError('flow.schema.invalid', `schema: pattern ${pattern}`);
  };
  return {
    strict: false,
    allErrors: false,
    ownProperties: true,
    logger: false,
    addUsedSchema: false,
    inlineRefs: false,
    // Optimising the generated code takes longer than running it.
    code: { regExp: Object.assign(engine, { code: 'linear' }), optimize: false },
    formats,
  };
}

/** The keyword in linear time, charged to `meter`: the library compares each pair of elements. */
function uniqueItems(meter: WorkMeter): FuncKeywordDefinition {
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, list: readonly FlowValue[]) =>
      !isWanted || new Set(list.map((each) => wordsOf(each, meter))).size === list.length,
  };
}

/** Canonical text of a value: the same for equal values, whatever the order of their members. */
function wordsOf(value: FlowValue, meter: WorkMeter): string {
  meter.stepsLeft -= STEPS_OF_VALUE + (typeof value === 'string' ? value.length : 0);
  if (meter.stepsLeft < 0) throw new PatternWorkExceeded();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => wordsOf(each, meter)).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${wordsOf(each, meter)}`)}}`;
}

/** Formats that are checked; others pass, as the specification permits. */
const formats: NonNullable<Options['formats']> = {
  date: isDay,
  'date-time': (text: string) =>
    isDay(text.slice(0, 10)) &&
    /^[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text.slice(10)) &&
    !Number.isNaN(Date.parse(text)),
  email: (text: string) => text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
  uuid: (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  uri: (text: string) => text.length <= 2048 && isUrl(text),
  // Used by meta-schemas; patterns are checked separately.
  'uri-reference': true,
  regex: true,
};

function misfit(errors: readonly ErrorObject[]): InnsigliError {
  const faults = errors.slice(0, faultsShown).map(({ instancePath, keyword, params, message }) => {
    const extra = params['additionalProperty'] ?? params['missingProperty'];
    const member = typeof extra === 'string' ? `/${extra}` : '';
    const where = `${instancePath}${member}`.slice(0, 120) || '/';
    return keyword === 'additionalProperties' ? `${where} is not supported` : `${where} ${message}`;
  });
  return new InnsigliError('flow.values.invalid', `values: ${faults.join('; ').slice(0, 1000)}`, {
    details: { field: errors[0]?.instancePath ?? '', pointer: pointerOf(errors[0]) },
  });
}

/**
 * JSON pointer to the invalid, missing or additional member.
 *
 * @spec RFC 6901 §3
 */
function pointerOf(error: ErrorObject | undefined): string {
  const { instancePath = '', params = {} } = error ?? {};
  const extra: unknown = params['additionalProperty'] ?? params['missingProperty'];
  return `${instancePath}${typeof extra === 'string' ? valuePointer([extra]) : ''}`;
}
