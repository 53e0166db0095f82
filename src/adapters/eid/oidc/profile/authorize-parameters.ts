import type { EidRequest } from '../../../../app/ports/index.ts';
import { shortened } from '../../../../base/text/index.ts';
import type { OidcParameter, OidcProfile } from './profile.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** Authorization parameters of the profile for a request, with placeholders replaced. */
export function profileParameters(
  profile: OidcProfile,
  request: EidRequest,
): Record<string, string> {
  const { language, loginHint, minAssurance, purpose } = request;
  const most = profile.textLength;
  const text = most === 0 ? '' : shortened(request.text.trim(), most);
  const isKnown = profile.languages?.includes(language) ?? true;
  const values: Values = {
    language: isKnown ? orNothing(language) : undefined,
    level: minAssurance,
    acr: profile.acr[minAssurance ?? 'any'],
    text: orNothing(text),
    text64: orNothing(Buffer.from(text).toString('base64')),
    hint: orNothing(loginHint.replace(/[\s-]/g, '')),
    action: profile.actions[purpose === 'sign' ? 'sign' : 'auth'],
  };
  const parameters: Record<string, string> = {};
  for (const [name, template] of Object.entries(profile.parameters)) {
    const value = filledParameter(template, values);
    if (value !== undefined) parameters[name] = value;
  }
  return parameters;
}

function filledParameter(template: OidcParameter, values: Values): string | undefined {
  if (typeof template === 'string') return filledText(template, values);
  if (Array.isArray(template)) {
    const texts = template.map((each: string) => filledText(each, values));
    return orNothing(texts.filter((each) => each !== undefined).join(' '));
  }
  const filled = filledMembers(template as Readonly<Record<string, unknown>>, values);
  return filled === undefined ? undefined : JSON.stringify(filled);
}

/** The object without members that have no value; undefined if it would be empty. */
function filledMembers(members: Readonly<Record<string, unknown>>, values: Values) {
  const filled: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) {
    const value = filledMember(member, values);
    if (value !== undefined) filled[name] = value;
  }
  return Object.keys(filled).length === 0 ? undefined : filled;
}

function filledMember(member: unknown, values: Values): unknown {
  if (typeof member === 'string') return filledText(member, values);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
  return filledMembers(member as Readonly<Record<string, unknown>>, values);
}

function filledText(template: string, values: Values): string | undefined {
  let isWhole = true;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}

const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);
