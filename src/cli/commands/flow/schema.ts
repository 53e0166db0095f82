import type { FlowService } from '../../../app/flow/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { command, jsonTextOfFile } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';

/** Lists, prints, adds or publishes schemas of a flow. */
export const flowSchema = command('flow schema', {
  summary: 'versions of the schema of a flow',
  description: 'List, print, add or publish versions of the JSON Schema of a flow.',
  args: { '<flow>': 'key of the flow', '[version]': 'version; without it: list the versions' },
  options: {
    '--put <file>': { text: 'store this JSON Schema as the version', ...jsonTextOfFile },
    '--publish': 'values of new processes must match this version',
  },
  help: ['Schemas are self-contained: no references to other documents, no recursion.'],
  examples: {
    'innsigli flow schema f10e…': 'list the versions',
    'innsigli flow schema f10e… 2 --put schema.json --publish': 'a new version in use',
  },
  exits: {
    0: 'done',
    2: 'no version is named, or the file is not JSON',
    5: 'no such flow, version or file',
    7: 'the JSON Schema is not supported',
  },
  names: () => ({ schema: '--put' }),
  check({ version, put, publish }) {
    if (version === undefined && (put !== undefined || publish)) {
      refuseUsage('expected a version, found none');
    }
  },
  call: async ({ flows }, { flow, version, put: schema, publish = false }) => {
    if (version === undefined) return { versions: await versionsOf(flows, flow) };
    if (schema !== undefined) return flows.putSchema(flow, { version, schema, publish });
    const found = await schemaOf(flows, flow, version);
    if (!publish) return found;
    await flows.publish(flow, version);
    return schemaOf(flows, flow, version);
  },
  text: (found, { console }, { put, publish }) => {
    if ('versions' in found) {
      for (const { version, isPublished, updatedAt } of found.versions) {
        console.result(`${printable(version)}  ${updatedAt}${isPublished ? '  published' : ''}`);
      }
      if (found.versions.length === 0) console.note('the flow has no schema');
    } else if (put === undefined && !publish) console.result(found.schema);
    else console.note(`version ${found.version} ${publish ? 'is published' : 'is stored'}`);
  },
});

async function schemaOf(flows: FlowService, flow: string, version: string) {
  const schemas = await flows.schemas(flow);
  const found = schemas.find((each) => each.version === version);
  if (found !== undefined) return found;
  const versions = schemas.map((each) => each.version).slice(0, 10);
  const what = versions.length === 0 ? 'it has none' : `it has ${versions.join(', ')}`;
  throw new InnsigliError(
    'flow.not_found',
    `flow ${flow} has no schema version ${version}: ${what}`,
    {
      hint: `add one with innsigli flow schema ${flow} VERSION --put FILE`,
    },
  );
}

async function versionsOf(flows: FlowService, flow: string) {
  const schemas = await flows.schemas(flow);
  const { publishedVersion } = await flows.show(flow);
  return schemas.map(({ version, createdAtMs, updatedAtMs }) => ({
    version,
    isPublished: version === publishedVersion,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  }));
}
