import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonSchemas, schemaName } from '../../../scripts/json-schemas/index.ts';

// A schema is used only a few times, so optimising its code takes longer than it saves.
const code = { optimize: false };
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code });
const schemas = jsonSchemas();
const compiled = new Map<string, ValidateFunction>();

/** Violations of the schema with this name in docs/schemas; empty if the value conforms. */
export function faultsOf(name: string, value: unknown): readonly string[] {
  const schema = schemas.get(name);
  if (schema === undefined) return [`${name} has no schema`];
  const validate = compiled.get(name) ?? ajv.compile(schema);
  compiled.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${name}: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Violations in the output of a command run with --json. */
export function faultsOfRun(stdout: string, stderr: string): readonly string[] {
  const faults: string[] = [];
  for (const line of stderr.split('\n').filter((each) => each !== '')) {
    faults.push(...faultsOf('stderr', JSON.parse(line)));
  }
  if (stdout.trim() === '') return faults;
  const document = JSON.parse(stdout);
  const { command } = document;
  const name = command === undefined ? 'version' : schemaName(command);
  return [...faults, ...faultsOf(name, document)];
}
