import { InnsigliError } from '../base/errors.ts';
import {
  boolean,
  invalid,
  type Members,
  object,
  optional,
  type Read,
  refuseWord,
  string,
} from '../base/input.ts';
import { asKey, type CompanyKey } from '../domain/keys.ts';
import {
  type EmailTemplate,
  knownHandles,
  languages,
  requireUsableText,
  unknownHandles,
} from '../domain/message/index.ts';
import { requireFlow } from './flow/index.ts';
import { operation, type Service, useCase } from './operation.ts';
import type { StorePorts, StoreUnit } from './ports/index.ts';

/** Message types whose text a company can replace. */
const templateTypes = ['Signup', 'Notification', 'Confirmation', 'SalesPerson'] as const;

/** A text that replaces the built-in one. */
export interface TemplateRequest {
  readonly flowKey: string;
  readonly templateType: string;
  /** Short code, such as `Is`; `NotSet` applies to all languages without a separate text. */
  readonly language: string;
  /** An address or one placeholder, such as `{{customer.email}}`. */
  readonly to: string;
  readonly bcc?: string | undefined;
  readonly subject: string;
  /** HTML with placeholders. */
  readonly message: string;
  /** Attach the documents. */
  readonly includeFiles?: boolean | undefined;
}

const readTemplate: Read<TemplateRequest> = object({
  flowKey: string,
  templateType: string,
  language: string,
  to: string,
  bcc: optional(string),
  subject: string,
  message: string,
  includeFiles: optional(boolean),
} satisfies Members<TemplateRequest>);

/** Message texts of a company that replace the built-in ones. */
export const templateOperations = {
  /**
   * Creates a template, or replaces the one for the same flow, type and language.
   *
   * @example
   * const place = { flowKey, templateType: 'Signup', language: 'En' };
   * await acme.templates.create({ ...place, to: '{{customer.email}}', subject, message });
   */
  create: operation(readTemplate, {
    errors: ['flow.not_found', 'template.invalid'],
    run: ({ store, now }: StorePorts, companyKey, request): Promise<EmailTemplate> =>
      store.write(async (unit) => {
        // Prevents duplicate templates for the same flow, type and language.
        await unit.companies.lock(companyKey);
        const nowMs = now();
        const { key: flowKey } = await requireFlow(unit, companyKey, request.flowKey);
        const text = { ...checked(request), flowKey, createdAtMs: nowMs, updatedAtMs: nowMs };
        const same = await findSame(unit, text);
        if (same === undefined) return { ...text, id: await unit.templates.add(text) };
        const after = { ...text, id: same.id, createdAtMs: same.createdAtMs };
        await unit.templates.save(after);
        return after;
      }),
  }),
  /**
   * Replaces the members of `change`. The combination of flow, type and language must not be that
   * of another template.
   *
   * @throws template.not_found, template.invalid, validation.error
   * @example
   * await acme.templates.update(id, { subject: 'Please sign' });
   */
  update: useCase(
    ['template.not_found', 'flow.not_found', 'template.invalid'],
    (
      { store, now }: StorePorts,
      companyKey,
      id: number,
      change: Partial<TemplateRequest>,
    ): Promise<EmailTemplate> => {
      return store.write(async (unit) => {
        await unit.companies.lock(companyKey);
        const before = await requireTemplate(unit, companyKey, id);
        const changed = { ...before, ...change };
        const { key: flowKey } = await requireFlow(unit, companyKey, changed.flowKey);
        const { createdAtMs } = before;
        const after = { ...checked(changed), flowKey, id, createdAtMs, updatedAtMs: now() };
        if (placeOf(after) !== placeOf(before)) await requireFree(unit, after);
        await unit.templates.save(after);
        return after;
      });
    },
  ),
  /**
   * Returns one template.
   *
   * @example
   * const template = await acme.templates.find(id);
   */
  find: useCase(['template.not_found'], ({ store }: StorePorts, companyKey, id: number) =>
    store.read((unit) => requireTemplate(unit, companyKey, id)),
  ),
  /**
   * Lists the templates of one flow.
   *
   * @example
   * const templates = await acme.templates.list(flowKey);
   */
  list: useCase(['flow.not_found'], ({ store }: StorePorts, companyKey, key: string) =>
    store.read(async (unit) =>
      unit.templates.forFlow((await requireFlow(unit, companyKey, key)).key),
    ),
  ),
  /**
   * Deletes a template: from then on the built-in text is sent.
   *
   * @example
   * await acme.templates.delete(id);
   */
  delete: useCase(['template.not_found'], ({ store }: StorePorts, companyKey, id: number) =>
    store.write(async (unit) => {
      await unit.companies.lock(companyKey);
      await requireTemplate(unit, companyKey, id);
      await unit.templates.remove(id);
    }),
  ),
};

/** The methods of {@link templateOperations}. */
export type TemplateService = Service<typeof templateOperations>;

function checked(request: TemplateRequest) {
  const { to, bcc = '', subject, message, includeFiles = false } = request;
  const type = (word: string) => word.toLowerCase();
  const templateType =
    templateTypes.find((each) => type(each) === type(request.templateType)) ??
    refuseWord('templateType', templateTypes, request.templateType);
  const known = ['NotSet', ...languages];
  const language =
    known.find((each) => type(each) === type(request.language)) ??
    refuseWord('language', known, request.language);
  requireUsableText({ to, bcc, subject, message });
  return { templateType, language, to, bcc, subject, message, includeFiles };
}

type Place = Pick<EmailTemplate, 'flowKey' | 'templateType' | 'language'>;

function placeOf({ flowKey, templateType, language }: Place): string {
  return [flowKey, templateType, language].join(' ');
}

/** The template used for this flow, type and language: the newest if earlier versions left more. */
async function findSame(unit: StoreUnit, place: Place): Promise<EmailTemplate | undefined> {
  const texts = await unit.templates.forFlow(asKey('flow', place.flowKey));
  return texts.findLast((each) => placeOf(each) === placeOf(place));
}

async function requireFree(unit: StoreUnit, place: Place): Promise<void> {
  const same = await findSame(unit, place);
  if (same === undefined) return;
  invalid('language', `text ${same.id} already has this flow, type and language`);
}

async function requireTemplate(
  unit: StoreUnit,
  companyKey: CompanyKey,
  id: number,
): Promise<EmailTemplate> {
  const template = Number.isSafeInteger(id) ? await unit.templates.find(id) : undefined;
  const flow = template === undefined ? undefined : await unit.flows.find(template.flowKey);
  if (template !== undefined && flow?.companyKey === companyKey) return template;
  throw new InnsigliError('template.not_found', `there is no template ${id}`);
}

/** Returns a warning about placeholders of a text that render empty; undefined without any. */
export function handleWarning(text: TemplateRequest): string | undefined {
  const unknown = unknownHandles({ ...text, bcc: text.bcc ?? '' });
  if (unknown.length === 0) return undefined;
  const found = unknown.map((name) => `{{${name}}}`).join(', ');
  return `${found} will be empty: expected ${knownHandles().join(', ')} or customer.Meta.NAME`;
}
