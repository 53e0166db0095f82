import { isAnswerLost } from '../../../../app/company/index.ts';
import { type AnswerFault, answerAt, type CustomerForm } from '../../../../app/flow/index.ts';
import { errorKinds, type InnsigliError, isInnsigliError } from '../../../../base/errors.ts';
import { filled, type PageWords, uploadField } from '../../../pages/index.ts';

/** An error in a field of a form. */
export type FieldFault = AnswerFault | 'twice' | 'either' | FileFault;

/** An error in an uploaded file. */
type FileFault = 'file.none' | 'file.unfit' | 'file.active' | 'file.pages';

/** Texts of errors, by field ID. */
export function inWords(
  words: PageWords,
  faults: Iterable<readonly [string, FieldFault]>,
  { values = {}, file }: Pick<FormRefusal, 'values' | 'file'> = {},
): Map<string, string> {
  const ofFile = (text: string) => (file === undefined ? text : `${file}: ${text}`);
  const texts = {
    ...{ missing: words.formMissing, unfit: words.formUnfit },
    ...{ twice: words.formTwice, either: words.formEither },
    ...{ 'file.none': words.formFileChoose, 'file.unfit': ofFile(words.formFileUnfit) },
    'file.active': filled(words.formFileActive, values),
    'file.pages': ofFile(filled(words.formFilePages, values)),
  };
  return new Map([...faults].map(([id, fault]) => [id, texts[fault]]));
}

/** Reason why a form was rejected. */
export interface FormRefusal {
  readonly status: number;
  /** Name of the text; it may contain `{{company}}` and placeholders for `values`. */
  readonly word: keyof PageWords;
  readonly values?: Readonly<Record<string, string | number>>;
  /** Name of the file concerned. */
  readonly file?: string;
  /** The field concerned. */
  readonly fault?: readonly [id: string, fault: FieldFault];
}

/** Reasons that prevent all answers. The texts reveal no more about the company than necessary. */
const obstacles: Readonly<Record<string, FormRefusal>> = {
  'quota.processes.exceeded': { status: 429, word: 'formFull' },
  'quota.requests.exceeded': { status: 429, word: 'formFull' },
  'quota.storage.exceeded': { status: 409, word: 'formClosed' },
  '10101': { status: 409, word: 'formClosed' },
  'message.channel.none': { status: 409, word: 'formMessages' },
  'idempotency.key.reused': { status: 409, word: 'formReused' },
  'request.rate.exceeded': { status: 429, word: 'errorThrottled' },
  'idempotency.in_flight': { status: 409, word: 'errorThrottled' },
  'service.busy': { status: 409, word: 'errorThrottled' },
  'service.timeout': { status: 409, word: 'errorThrottled' },
};

/** Returns why a form was rejected, and the field. Rethrows errors not caused by the answers. */
export function refusalOf(
  form: CustomerForm,
  persons: readonly { readonly at: number }[],
  error: unknown,
): FormRefusal {
  // A fault of the host is not caused by the answers: it is handled as everywhere.
  if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
  // Not caused by the answers: the page for an unknown link is shown.
  if (error.code === 'flow.not_found') throw error;
  if (isAnswerLost(error)) return { status: 409, word: 'formLost' };
  const known = obstacles[error.code];
  if (known !== undefined) return known;
  if (error.code === 'flow.values.invalid') return ofValues(form, textOf(error, 'pointer'));
  const { content, expectedPages } = error.details;
  if (form.takesUpload && typeof content === 'string') {
    return { ...ofFile(error, 'file.active'), values: { content } };
  }
  if (form.takesUpload && typeof expectedPages === 'number') {
    return { ...ofFile(error, 'file.pages'), values: { pages: expectedPages } };
  }
  if (error.code === 'validation.error') {
    const field = textOf(error, 'field').replace(/^processes\[\d+\]\./, '');
    return ofPersons(form, persons, field, error);
  }
  const { httpStatus } = errorKinds[error.code];
  // For example, a document that would have too many pages.
  if (httpStatus >= 400 && httpStatus < 500) {
    return form.takesUpload ? ofFile(error, 'file.unfit') : ofContent(form);
  }
  return { status: 409, word: 'errorUnexpected' };
}

function textOf({ details }: InnsigliError, name: string): string {
  const text = details[name];
  return typeof text === 'string' ? text : '';
}

function ofField(id: string, fault: FieldFault): FormRefusal {
  return { status: 422, word: 'formFaults', fault: [id, fault] };
}

/** The error is in an uploaded file. */
function ofFile(error: InnsigliError, fault: FileFault): FormRefusal {
  const file = textOf(error, 'fileName');
  return { ...ofField(uploadField, fault), ...(file === '' ? {} : { file }) };
}

/** The error is in the document, or in the values it would be generated from. */
function ofContent({ takesUpload }: CustomerForm): FormRefusal {
  return takesUpload ? ofField(uploadField, 'file.unfit') : { status: 422, word: 'formRefused' };
}

function ofValues(form: CustomerForm, pointer: string): FormRefusal {
  const id = pointer === '' ? undefined : answerAt(form.questions, pointer);
  return id === undefined ? ofContent(form) : ofField(id, 'unfit');
}

const fieldNames: Readonly<Record<string, string>> = {
  ...{ name: 'name', email: 'email', ssn: 'ssn', phoneNumber: 'phone' },
};

function ofPersons(
  form: CustomerForm,
  persons: readonly { readonly at: number }[],
  field: string,
  { details }: InnsigliError,
): FormRefusal {
  const [, index, member = ''] = /^signees\[(\d+)\](?:\.(\w+))?/.exec(field) ?? [];
  if (field === 'requiresAuth' || member === 'signatureType') {
    return { status: 409, word: 'formEid' };
  }
  const { twin } = details;
  // A person named by the flow is not on the form: the fault belongs to the identical one there.
  const own = persons[Number(index)] ?? (typeof twin === 'number' ? persons[twin] : undefined);
  if (own === undefined) return ofContent(form);
  const contact = form.signatureType === 'ClickToSign' ? 'email' : 'phone';
  const id = `${fieldNames[member] ?? contact}${own.at}`;
  return ofField(id, typeof twin === 'number' ? 'twice' : 'unfit');
}
