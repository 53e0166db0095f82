/** Flows: created, shown and changed; the documents that they create from values. */
export { type FlowService, flowOperations } from './flow-service.ts';
export { type FlowPorts, type FlowWork, flowWork, type ValueTrial } from './flow-work.ts';
export { fillForm, listFormFields } from './form/fill-form.ts';
export { type DraftService, draftService, type FormDraft } from './form/form-drafts.ts';
export type { FormField, FormFieldKind } from './form/form-fields.ts';
export { publishedForm } from './form/published-form.ts';
export {
  type AskCondition,
  checkedWord,
  type FormQuestion,
  type FormQuestions,
  type QuestionKind,
  type RowsQuestion,
} from './form/question.ts';
export {
  type AnswerFault,
  answerAt,
  answerId,
  answersFrom,
  askedQuestions,
  readAnswers,
} from './form/read-answers.ts';
export { type MadeDocument, makeDocument } from './make-document.ts';
export { renderDocument } from './render-document.ts';
export { compileSchema } from './schema/compile-schema.ts';
export type { ExampleRequest } from './schema/example-request.ts';
export type { SchemaRequest } from './schema/flow-schemas.ts';
export { type FlowDetails, type FlowOverview, requireFlow, unknownFlow } from './show-flow.ts';
export type { CustomerForm } from './show-form.ts';
