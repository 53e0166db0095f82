import type { AnySchemaObject, ErrorObject, Options } from 'ajv';
import { CoreError, isCoreError } from '../../base/errors.ts';
import {
  checkSchemaText,
  compilePattern,
  type FlowValues,
  PatternWorkExceeded,
  requireValues,
  type WorkMeter,
} from '../../domain/flow/index.ts';

/** Steps that all patterns of one judgement may take: about a second. */
const patternStepsMax = 20_000_000;
/** Faults that a message names. */
const faultsShown = 10;

/** Judges values by a schema. */
export interface SchemaValidator {
  /** @throws flow.values.invalid naming the members that do not fit, never their values */
  require(values: FlowValues): void;
}

/**
 * The validator of the schema in `text`. It loads nothing, and no pattern of it makes it slow.
 *
 * @throws flow.schema.invalid
 */
export async function compileSchema(text: string): Promise<SchemaValidator> {
  const { schema, draft } = checkSchemaText(text);
  const meter: WorkMeter = { stepsLeft: patternStepsMax };
  const options = optionsWith(meter);
  const ajv =
    draft === '2020-12'
      ? new (await import('ajv/dist/2020.js')).Ajv2020(options)
      : new (await import('ajv')).Ajv(options);
  let validate: ReturnType<typeof ajv.compile>;
  try {
    validate = ajv.compile(schema as AnySchemaObject);
  } catch (cause) {
    if (isCoreError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message.slice(0, 300) : 'it cannot be compiled';
    throw new CoreError('flow.schema.invalid', `schema: ${why}`, { cause });
  }
  return {
    require(values) {
      requireValues(values);
      meter.stepsLeft = patternStepsMax;
      const isFit = guarded(() => validate(values));
      if (isFit !== true) throw misfit(validate.errors ?? []);
    },
  };
}

function guarded(judge: () => unknown): unknown {
  try {
    return judge();
  } catch (cause) {
    if (!(cause instanceof PatternWorkExceeded) && !(cause instanceof RangeError)) throw cause;
    const message = 'values: they cannot be judged with the work that is allowed';
    throw new CoreError('flow.values.invalid', message, { cause });
  }
}

function optionsWith(meter: WorkMeter): Options {
  const engine = (source: string) => {
    const pattern = compilePattern(source, meter);
    if (typeof pattern !== 'string') return pattern;
    throw new CoreError('flow.schema.invalid', `schema: pattern ${pattern}`);
  };
  return {
    strict: false,
    allErrors: false,
    ownProperties: true,
    logger: false,
    addUsedSchema: false,
    inlineRefs: false,
    code: { regExp: Object.assign(engine, { code: 'linear' }) },
    formats,
  };
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).getUTCDate() === Number(text.slice(8));

/** Formats that are looked at; others pass, as the specification permits. */
const formats: NonNullable<Options['formats']> = {
  date: isDate,
  'date-time': (text: string) =>
    isDate(text.slice(0, 10)) &&
    /^[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text.slice(10)) &&
    !Number.isNaN(Date.parse(text)),
  email: (text: string) => text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
  uuid: (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  uri: (text: string) => text.length <= 2048 && URL.canParse(text),
  // Of the schemas of schemas; patterns are looked at apart.
  'uri-reference': true,
  regex: true,
};

function misfit(errors: readonly ErrorObject[]): CoreError {
  const faults = errors.slice(0, faultsShown).map(({ instancePath, keyword, params, message }) => {
    const extra = params['additionalProperty'] ?? params['missingProperty'];
    const member = typeof extra === 'string' ? `/${extra}` : '';
    const where = `${instancePath}${member}`.slice(0, 120) || '/';
    return keyword === 'additionalProperties' ? `${where} is not known` : `${where} ${message}`;
  });
  return new CoreError('flow.values.invalid', `values: ${faults.join('; ').slice(0, 1000)}`, {
    details: { field: errors[0]?.instancePath ?? '' },
  });
}
