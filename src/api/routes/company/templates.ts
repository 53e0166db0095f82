import { type TemplateRequest, templateOperations } from '../../../app/template-service.ts';
import { defined } from '../../../base/defined.ts';
import type { EmailTemplate } from '../../../domain/message/index.ts';
import type { ApiApp } from '../../route.ts';
import {
  createEmailTemplate,
  type EmailTemplateBody,
  emailTemplate,
  emailTemplateList,
  idParams,
  updateEmailTemplate,
} from '../../schemas/index.ts';
import { flowParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'E-mail templates', access: 'company' });
const path = '/management/emailtemplate';

/** Adds the routes of mail templates. */
export function registerTemplates(app: ApiApp): void {
  add(app, 'POST', path, {
    scope: 'manage',
    summary: 'Set a mail text',
    description:
      'Replaces the built-in text of a flow, or the text previously set for the same flow, type ' +
      'and language. Placeholders in double braces, such as `{{customer.name}}`, are filled in; ' +
      'unknown ones render as empty.',
    body: createEmailTemplate,
    answers: { 200: { description: 'The text.', schema: emailTemplate } },
    errors: templateOperations.create.errors,
    handle: async ({ body, company }) =>
      show(await company.templates.create(read(body) as TemplateRequest)),
  });
  add(app, 'PUT', `${path}/{Id}`, {
    scope: 'manage',
    summary: 'Change a mail text',
    params: idParams,
    body: updateEmailTemplate,
    answers: { 200: { description: 'The text.', schema: emailTemplate } },
    errors: templateOperations.update.errors,
    handle: async ({ params: { Id }, body, company }) =>
      show(await company.templates.update(Id, read(body))),
  });
  add(app, 'DELETE', `${path}/{Id}`, {
    scope: 'manage',
    summary: 'Remove a mail text and restore the built-in one',
    params: idParams,
    answers: { 204: { description: 'The text was removed.' } },
    errors: templateOperations.delete.errors,
    handle: async ({ params: { Id }, company }) => {
      await company.templates.delete(Id);
    },
  });
  add(app, 'GET', `${path}/flowKey/{FlowKey}`, {
    summary: 'The mail texts of a flow',
    params: flowParams,
    answers: { 200: { description: 'The texts.', schema: emailTemplateList } },
    errors: templateOperations.list.errors,
    handle: async ({ params: { FlowKey }, company }) =>
      (await company.templates.list(FlowKey)).map(show),
  });
}

function read({ Bcc: bcc, ...rest }: Partial<EmailTemplateBody>): Partial<TemplateRequest> {
  return defined({ ...rest, bcc }) as Partial<TemplateRequest>;
}

function show({ bcc, createdAtMs, updatedAtMs, ...rest }: EmailTemplate) {
  return {
    ...rest,
    Bcc: bcc,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}
