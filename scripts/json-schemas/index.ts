import { type TSchema, Type } from '@sinclair/typebox';
import { authBodies, authEvent } from './auth.ts';
import { documentBodies, reportLines } from './batch.ts';
import { report } from './documents.ts';
import { flowsBodies } from './flows.ts';
import { logBodies } from './log.ts';
import { heardEvent, messagesBodies } from './messages.ts';
import { screeningBodies } from './screening.ts';
import { serviceBodies } from './service.ts';
import { signingBodies } from './signing.ts';
import { trustBodies } from './trust.ts';
import { errorData, list, members, opt, type Shapes, text } from './words.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const bodies: Shapes = {
  ...documentBodies,
  ...signingBodies,
  ...authBodies,
  ...messagesBodies,
  ...logBodies,
  ...flowsBodies,
  ...screeningBodies,
  ...serviceBodies,
  ...trustBodies,
};

const warning = members({ code: text, message: text }, 'Warning');

/** Output that is printed line by line, outside the document of a command. */
const lines: Readonly<Record<string, readonly [string, TSchema]>> = {
  stderr: [
    'a line on stderr with --json',
    Type.Union([
      members({ v: Type.Literal(1), warning }),
      members({
        v: Type.Literal(1),
        error: members({
          ...errorData.properties,
          findings: opt(list(members({ name: text, message: text, hint: opt(text) }))),
          stack: opt(Type.String({ description: 'Only with --debug.' })),
        }),
      }),
    ]),
  ],
  version: ['innsigli --version --json', members({ v: Type.Literal(1), version: text })],
  'report-line': ['a line of the file written by --report', reportLines],
  'verification-report': ['the file written by innsigli verify --write-report NAME.json', report],
  'auth-event': ['a line of innsigli auth login --json --watch', authEvent],
  'webhook-listen': ['a line of innsigli webhook listen --json', heardEvent],
};

/** Returns every schema of docs/schemas by name: that of a command, its words joined by hyphens. */
export function jsonSchemas(): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  for (const [command, shapes] of Object.entries(bodies)) {
    const documents = shapes.map(({ properties }) =>
      members({
        v: Type.Literal(1),
        command: Type.Literal(command),
        ...properties,
        warnings: list(warning),
      }),
    );
    const [only, ...others] = documents;
    const schema = others.length === 0 ? only : Type.Union(documents);
    found.set(schemaName(command), finished(`innsigli ${command} --json`, schema));
  }
  for (const [name, [title, schema]] of Object.entries(lines)) {
    found.set(name, finished(title, schema));
  }
  return found;
}

/** Returns the name of a command's schema. */
export function schemaName(command: string): string {
  return command.replaceAll(' ', '-');
}

/** Returns plain JSON: without members internal to TypeBox, and with titled schemas in `$defs`. */
function finished(title: string, schema: TSchema | undefined): object {
  const shared: Record<string, unknown> = {};
  const each = (map: object) => Object.entries(map).map(([key, value]) => [key, hoist(value)]);
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { title: name, description, properties, ...rest } = value as Record<string, object>;
    const body = {
      ...Object.fromEntries(each(rest)),
      // Names of members are not schema keywords.
      ...(properties === undefined ? {} : { properties: Object.fromEntries(each(properties)) }),
    };
    const about = description === undefined ? {} : { description };
    if (name === undefined) return { ...about, ...body };
    shared[String(name)] = body;
    return { ...about, $ref: `#/$defs/${name}` };
  };
  const { title: _, ...plain } = JSON.parse(JSON.stringify(schema));
  const whole = hoist(plain) as object;
  return {
    $schema: dialect,
    title,
    ...whole,
    ...(Object.keys(shared).length === 0 ? {} : { $defs: shared }),
  };
}
