import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { Flow, FlowSettings, FlowType, InitiationMethod } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import { useCase } from '../operation.ts';
import type { StorePorts, StoreUnit } from '../ports/index.ts';
import type { FlowPorts } from './flow-work.ts';
import type { FormField } from './form/form-fields.ts';

/** Summary of a flow in a list. */
export interface FlowOverview {
  readonly flowKey: string;
  readonly name: string;
  readonly flowType: FlowType;
  readonly active: boolean;
  readonly language: string;
  readonly signatureType: string;
}

/** A flow with all its settings, except its style sheet. */
export interface FlowDetails extends FlowOverview, Omit<FlowSettings, 'signatureType'> {
  readonly companyKey: string;
  readonly initiationMethod: InitiationMethod;
  readonly meta: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedVersion?: string;
  readonly templateSha256?: string;
  /** Fields of the form of a FillAndSign flow. */
  readonly fields?: readonly FormField[];
}

/** Lists and shows flows. */
export const showOperations = {
  /**
   * Lists the flows of a company, of one type or of all.
   *
   * @example
   * const [flow] = await acme.flows.list('DropAndSign');
   */
  list: useCase(
    [],
    ({ store }: StorePorts, companyKey, type?: FlowType): Promise<readonly FlowOverview[]> =>
      store.read(async (unit) => (await unit.flows.list(companyKey, type)).map(overviewOf)),
  ),
  /**
   * Returns the flow with all its settings.
   *
   * @example
   * const { fields, expiresAfterDays } = await acme.flows.show(flowKey);
   */
  show: useCase(
    ['flow.not_found', 'blob.missing'],
    async ({ store, blobs, work }: FlowPorts, companyKey, key: string): Promise<FlowDetails> => {
      const flow = await store.read((unit) => requireFlow(unit, companyKey, key));
      const { type, templateSha256 } = flow;
      if (type !== 'FillAndSign' || templateSha256 === undefined) return detailsOf(flow);
      return { ...detailsOf(flow), fields: await work.formFields(await blobs.get(templateSha256)) };
    },
  ),
  /**
   * Returns the style sheet of a flow; empty if none is set.
   *
   * @example
   * const css = await acme.flows.css(flowKey);
   */
  css: useCase(
    ['flow.not_found'],
    ({ store }: StorePorts, companyKey, key: string): Promise<string> =>
      store.read(async (unit) => (await requireFlow(unit, companyKey, key)).css),
  ),
};

function overviewOf({ key, name, type, isActive, language, settings }: Flow): FlowOverview {
  const { signatureType } = settings;
  return { flowKey: key, name, flowType: type, active: isActive, language, signatureType };
}

/** Converts a flow to its published form. */
function detailsOf(flow: Flow): FlowDetails {
  const { publishedVersion, templateSha256 } = flow;
  return {
    ...overviewOf(flow),
    ...flow.settings,
    companyKey: flow.companyKey,
    initiationMethod: flow.settings.initiationMethod ?? 'Api',
    meta: flow.meta,
    createdAt: new Date(flow.createdAtMs).toISOString(),
    updatedAt: new Date(flow.updatedAtMs).toISOString(),
    ...defined({ publishedVersion, templateSha256 }),
  };
}

/**
 * Finds a flow of the company, active or not. `lock` also blocks other writers of the flow and of
 * what belongs to it.
 *
 * @throws flow.not_found
 */
export async function requireFlow(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
  how: 'find' | 'lock' = 'find',
): Promise<Flow> {
  const flow = await unit.flows[how](asKey('flow', key));
  if (flow?.companyKey === companyKey) return flow;
  throw unknownFlow(key);
}

/** The text of the published schema of a flow; undefined if none is published. */
export async function publishedSchema(
  unit: StoreUnit,
  { key, publishedVersion }: Flow,
): Promise<string | undefined> {
  if (publishedVersion === undefined) return undefined;
  return (await unit.flows.findSchema(key, publishedVersion))?.schema;
}

/** The error for a flow, or a version of its schema, that does not exist. */
export function unknownFlow(key: string, version?: string): InnsigliError {
  const what = version === undefined ? '' : ` with version ${version.slice(0, 64)}`;
  return new InnsigliError('flow.not_found', `the company has no flow ${key.slice(0, 40)}${what}`, {
    hint: 'list the flows with innsigli flow list',
  });
}
