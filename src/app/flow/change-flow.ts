import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import {
  buildFlow,
  type DocumentTemplate,
  type Flow,
  type FlowRequest,
  type FlowType,
  makesDocuments,
  parseDocumentTemplate,
  parseFlowRequest,
  partsOf,
  requireTemplateMembers,
  type TemplateBlock,
  templateKinds,
} from '../../domain/flow/index.ts';
import { newKey } from '../../domain/keys.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import { useCase } from '../operation.ts';
import { requireCompany } from '../required.ts';
import type { FlowPorts } from './flow-work.ts';
import { requireSendable } from './form/published-form.ts';
import { publishedSchema, requireFlow } from './show-flow.ts';
import { cleanText, missingCharacters } from './text-lines.ts';

type ChangePorts = Pick<FlowPorts, 'store' | 'blobs' | 'now' | 'random' | 'fonts' | 'work'>;

/** Creates and changes flows. */
export const changeOperations = {
  /**
   * Creates a flow.
   *
   * @param request parsed JSON: `name`, `type`, and what differs from the defaults in `isActive`,
   *   `language`, `settings`, `css`, `meta`
   * @param template the form of a FillAndSign flow (PDF), the template of a RenderFlow, PEP or
   *   Compliance flow (JSON)
   * @throws company.not_found, validation.error, reminder.rule.invalid, template.invalid, pdf.*
   * @example
   * const flow = await acme.flows.create({ name: 'Contracts', type: 'DropAndSign' });
   */
  create: useCase(
    ['company.not_found', 'reminder.rule.invalid', 'template.invalid', 'pdf.notpdf'],
    async (
      ports: ChangePorts,
      companyKey,
      request: unknown,
      template?: Uint8Array,
    ): Promise<Flow> => {
      const built = buildFlow(
        parseFlowRequest(request),
        newKey('flow', ports.random),
        companyKey,
        ports.now(),
      );
      const flow = { ...built, ...(await storeTemplate(ports, built.type, template)) };
      requireTemplate(flow);
      await requireSendable(ports, flow, undefined);
      await ports.store.write(async (unit) => {
        await requireCompany(unit, companyKey);
        await unit.flows.add(flow);
      });
      return flow;
    },
  ),
  /**
   * Changes a flow. Settings absent from `change` keep their values, and null resets one to its
   * default. The type cannot be changed.
   *
   * @throws flow.not_found, validation.error, reminder.rule.invalid, template.invalid, pdf.*
   * @example
   * await acme.flows.update(flowKey, { settings: { expiresAfterDays: 14 } });
   */
  update: useCase(
    ['flow.not_found', 'reminder.rule.invalid', 'template.invalid', 'pdf.notpdf'],
    async (
      ports: ChangePorts,
      companyKey,
      key: string,
      change: unknown,
      template?: Uint8Array,
    ): Promise<Flow> => {
      const nowMs = ports.now();
      const { known, schema } = await ports.store.read(async (unit) => {
        const found = await requireFlow(unit, companyKey, key);
        return { known: found, schema: await publishedSchema(unit, found) };
      });
      const stored = await storeTemplate(ports, known.type, template);
      const { settings = known.settings, isActive = known.isActive } = parseFlowRequest(
        change,
        known.settings,
      );
      await requireSendable(ports, { ...known, settings, isActive, ...stored }, schema);
      return ports.store.write(async (unit) => {
        const before = await requireFlow(unit, companyKey, key, 'lock');
        const request: FlowRequest = parseFlowRequest(change, before.settings);
        if (request.type !== undefined && request.type !== before.type) {
          const advice = 'create another flow with innsigli flow create';
          invalid('type', `expected ${before.type}, which cannot change`, advice);
        }
        const next = {
          ...before,
          ...request,
          ...stored,
          updatedAtMs: Math.max(nowMs, before.updatedAtMs),
        };
        requireTemplate(next);
        await unit.flows.save(next);
        return next;
      });
    },
  ),
};

// Without its template, such a flow would accept any document instead of creating one.
function requireTemplate(flow: Flow): void {
  const what = templateKinds[flow.type];
  // Processes of the other types may also be created with a document.
  const isNeeded = flow.type === 'FillAndSign' || flow.type === 'RenderFlow';
  if (what === undefined || !isNeeded || !flow.isActive || makesDocuments(flow)) return;
  const why = `expected the ${what} of a flow of type ${flow.type}, found none`;
  invalid('template', why, 'pass it with --template');
}

// The content is stored before the flow that refers to it; an orphan is garbage-collected later.
async function storeTemplate(
  { blobs, fonts, work }: Pick<FlowPorts, 'blobs' | 'fonts' | 'work'>,
  type: FlowType,
  template: Uint8Array | undefined,
): Promise<Pick<Flow, 'templateSha256'>> {
  if (template === undefined) return {};
  if (templateKinds[type] === 'form') await work.formFields(template);
  else if (templateKinds[type] === 'template') {
    requireShownTexts(parseDocumentTemplate(template), await fonts());
    requireTemplateMembers(template);
  } else invalid('template', `expected none, a flow of type ${type} does not create documents`);
  return { templateSha256: await blobs.put(template) };
}

/**
 * Requires that the fonts can show the fixed text of a template, whatever the values are.
 *
 * @throws template.invalid naming the text
 */
function requireShownTexts({ title, blocks }: DocumentTemplate, fonts: StampFonts): void {
  const require = (text: string, where: string) => {
    const missing = missingCharacters(cleanText(partsOf(text).fixed), fonts.regular);
    if (missing.length === 0) return;
    const found = missing.slice(0, 20).join(' ');
    const message = `${where}: expected characters in the font, found ${found}`;
    throw new InnsigliError('template.invalid', message);
  };
  require(title, 'title');
  for (const [index, block] of blocks.entries()) {
    for (const [text, where] of textsOf(block)) require(text, `blocks[${index}].${where}`);
  }
}

function textsOf(block: TemplateBlock): readonly (readonly [text: string, where: string])[] {
  switch (block.type) {
    case 'list':
      return block.items.map((item, index) => [item, `items[${index}]`] as const);
    case 'values':
      return block.rows.flatMap(({ name, text }, index) => [
        [name, `rows[${index}].name`] as const,
        [text, `rows[${index}].text`] as const,
      ]);
    case 'table':
      return block.columns.flatMap(({ title, text }, index) => [
        [title, `columns[${index}].title`] as const,
        [text, `columns[${index}].text`] as const,
      ]);
    case 'pageBreak':
      return [];
    default:
      return [[block.text, 'text']];
  }
}
