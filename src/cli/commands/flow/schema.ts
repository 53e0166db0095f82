import type { Command } from 'commander';
import type { FlowService } from '../../../app/flow/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { namingOptions } from '../option-values.ts';
import { readText, useFlows } from './options.ts';

interface SchemaOptions {
  readonly put?: string;
  readonly publish?: boolean;
}

/** Adds `flow schema` to the command tree. */
export function defineFlowSchema(group: Command, start: Start): void {
  const command = group
    .command('schema')
    .summary('versions of what a flow asks for')
    .description('List, print, put or publish versions of the JSON Schema of a flow.')
    .argument('<flow>', 'key of the flow')
    .argument('[version]', 'version; left out: list them')
    .option('--put <file>', 'put this JSON Schema in place as the version')
    .option('--publish', 'values of new processes must fit this version');
  documentCommand(command, {
    text: ['Schemas are self-contained: no references to other documents, no recursion.'],
    examples: [
      ['innsigli flow schema f10e…', 'list the versions'],
      ['innsigli flow schema f10e… 2 --put schema.json --publish', 'a new version in use'],
    ],
    exits: [
      [0, 'done'],
      [5, 'no such flow, version or file'],
      [7, 'it is no usable JSON Schema'],
    ],
  });
  command.action(
    (flow: string, version: string | undefined, options: SchemaOptions, self: Command) =>
      start(self, (context) => runFlowSchema({ ...options, flow, version }, context)),
  );
}

/** Lists, prints, puts or publishes. */
export async function runFlowSchema(
  options: SchemaOptions & { readonly flow: string; readonly version: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const { flow, version, put, publish = false } = options;
  if (version === undefined) {
    if (put !== undefined || publish) refuseUsage('expected a version, found none');
    return listVersions(flow, context);
  }
  const { console, io } = context;
  const text = put === undefined ? undefined : readText(put, io.cwd);
  const found = await useFlows(context, async (flows) => {
    if (text !== undefined) {
      return namingOptions({ schema: '--put' }, () =>
        flows.putSchema(flow, { version, schema: text, publish }),
      );
    }
    if (publish) {
      await schemaOf(flows, flow, version);
      await flows.publish(flow, version);
    }
    return schemaOf(flows, flow, version);
  });
  if (console.mode.json) console.document({ v: 1, command: 'flow schema', ...found });
  else if (put === undefined && !publish) console.result(found.schema);
  else console.note(`version ${version} ${publish ? 'is published' : 'is in place'}`);
  return 0;
}

async function schemaOf(flows: FlowService, flow: string, version: string) {
  const schemas = await flows.schemas(flow);
  const found = schemas.find((each) => each.version === version);
  if (found !== undefined) return found;
  const versions = schemas.map((each) => each.version).slice(0, 10);
  const what = versions.length === 0 ? 'it has no schema' : `it has ${versions.join(', ')}`;
  throw new InnsigliError('flow.not_found', `flow ${flow} has no schema ${version}: ${what}`, {
    hint: `innsigli flow schema ${flow} VERSION --put FILE puts one in place`,
  });
}

async function listVersions(flow: string, context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const { schemas, published } = await useFlows(context, async (flows) => ({
    schemas: await flows.schemas(flow),
    published: (await flows.show(flow)).publishedVersion,
  }));
  const versions = schemas.map(({ version, createdAtMs, updatedAtMs }) => ({
    version,
    isPublished: version === published,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  }));
  if (console.mode.json) {
    console.document({ v: 1, command: 'flow schema', versions });
    return 0;
  }
  for (const { version, isPublished, updatedAt } of versions) {
    console.result(`${printable(version)}  ${updatedAt}${isPublished ? '  published' : ''}`);
  }
  if (versions.length === 0) console.note('the flow has no schema');
  return 0;
}
