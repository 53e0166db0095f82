import { isIP } from 'node:net';

type Members = Record<string, unknown>;

/** Maximum numbers of base64 characters. */
const visibleMax = { auth: 1_500, sign: 40_000 };
const hiddenMax = { auth: 1_500, sign: 200_000 };

const known = new Set([
  'endUserIp',
  'requirement',
  'userVisibleData',
  'userVisibleDataFormat',
  'userNonVisibleData',
  'returnUrl',
  'returnRisk',
  'web',
  'app',
]);
const knownRequirements = new Set([
  'personalNumber',
  'pinCode',
  'mrtd',
  'cardReader',
  'certificatePolicies',
]);

/**
 * The fault for which the provider rejects the body of `auth` or `sign`. Undefined if there is
 * none.
 */
export function findOrderFault(purpose: 'auth' | 'sign', body: Members): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'no object';
  const stranger = Object.keys(body).find((name) => !known.has(name));
  if (stranger !== undefined) return `unknown member ${stranger}`;
  if (typeof body['endUserIp'] !== 'string' || isIP(body['endUserIp']) === 0) return 'endUserIp';
  if (body['web'] !== undefined && body['app'] !== undefined) return 'web and app';
  const { userVisibleData: visible, userNonVisibleData: hidden, returnUrl } = body;
  if (purpose === 'sign' && visible === undefined) return 'userVisibleData is missing';
  if (visible !== undefined && !isText(visible, visibleMax[purpose])) return 'userVisibleData';
  if (hidden !== undefined && !isBase64(hidden, hiddenMax[purpose])) return 'userNonVisibleData';
  if (returnUrl !== undefined && !/^https:\/\//.test(String(returnUrl))) return 'returnUrl';
  return findRequirementFault(body['requirement']);
}

function findRequirementFault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return 'requirement';
  const requirement = value as Members;
  const stranger = Object.keys(requirement).find((name) => !knownRequirements.has(name));
  if (stranger !== undefined) return `unknown requirement ${stranger}`;
  const { personalNumber, pinCode, mrtd, certificatePolicies: policies } = requirement;
  if (personalNumber !== undefined && !/^\d{12}$/.test(String(personalNumber))) {
    return 'personalNumber';
  }
  for (const flag of [pinCode, mrtd]) {
    if (flag !== undefined && typeof flag !== 'boolean') return 'a flag';
  }
  const isList = Array.isArray(policies) && policies.every((each) => /^[\d.]+$/.test(String(each)));
  return policies === undefined || isList ? undefined : 'certificatePolicies';
}

function isBase64(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > most) return false;
  return Buffer.from(value, 'base64').toString('base64') === value;
}

/** Plain text: UTF-8 whose only control characters are line ends. */
function isText(value: unknown, most: number): boolean {
  if (!isBase64(value, most)) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what the provider refuses
    return !/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}
