import { boolean, isRecord, oneOf, refuse, refuseWord, singleLine } from '../../base/input.ts';
import { locales } from '../../base/words/index.ts';
import type { CompanyKey, FlowKey } from '../keys.ts';
import { requireCss } from './css.ts';
import { type Flow, type FlowSettings, flowTypes } from './flow.ts';
import { flowSettings } from './flow-settings.table.ts';

/** Short codes of the languages that a flow can use. */
const flowLanguages = locales.map((code) => code.charAt(0).toUpperCase() + code.slice(1));

const metaMax = { members: 200, nameCharacters: 200, valueCharacters: 20_000 };

const requestMembers = ['name', 'type', 'isActive', 'language', 'settings', 'css', 'meta'];

/** Changes to a flow, parsed from a JSON object. Members that the object lacks are absent. */
export type FlowRequest = Partial<
  Pick<Flow, 'name' | 'type' | 'isActive' | 'language' | 'settings' | 'css' | 'meta'>
>;

/** The settings of a flow that specifies none. */
export function defaultFlowSettings(): FlowSettings {
  return settingsFrom((name) => flowSettings[name].initial);
}

/**
 * Returns `base` with the settings in `input`, parsed JSON. Null resets a setting to its default.
 *
 * @throws validation.error for a member that is unknown or invalid, reminder.rule.invalid
 */
export function parseFlowSettings(input: unknown, base: FlowSettings): FlowSettings {
  if (!isRecord(input)) return refuse('settings', 'an object', input);
  requireKnown(input, Object.keys(flowSettings), 'settings.');
  const settings = settingsFrom((name) => {
    if (!Object.hasOwn(input, name)) return base[name];
    const { initial, parse } = flowSettings[name];
    return input[name] === null ? initial : parse(input[name], `settings.${name}`);
  });
  const { minAdditionalSignees: min = 0, maxAdditionalSignees: max = min } = settings;
  if (max < min) refuse('settings.maxAdditionalSignees', `at least ${min}`, max);
  return settings;
}

/**
 * Parses the changes to a flow from `input`, parsed JSON, relative to the settings `base`.
 *
 * @throws validation.error, reminder.rule.invalid
 */
export function parseFlowRequest(input: unknown, base = defaultFlowSettings()): FlowRequest {
  if (!isRecord(input)) return refuse('flow', 'an object', input);
  requireKnown(input, requestMembers, '');
  const read = <Value>(name: string, parse: (value: unknown, name: string) => Value) =>
    input[name] === undefined ? {} : { [name]: parse(input[name], name) };
  return {
    ...read('name', singleLine(200)),
    ...read('type', oneOf(flowTypes)),
    ...read('isActive', boolean),
    ...read('language', oneOf(flowLanguages)),
    ...read('settings', (value) => parseFlowSettings(value, base)),
    ...read('css', (value) => requireCss(value)),
    ...read('meta', parseMeta),
  };
}

/** Builds a new flow. `request` must contain its name and type. @throws validation.error */
export function buildFlow(
  request: FlowRequest,
  key: FlowKey,
  companyKey: CompanyKey,
  nowMs: number,
): Flow {
  const { name, type } = request;
  if (name === undefined) return refuse('name', 'a name', undefined);
  if (type === undefined) return refuse('type', `one of ${flowTypes.join(', ')}`, undefined);
  return {
    key,
    companyKey,
    name,
    type,
    isActive: request.isActive ?? true,
    language: request.language ?? 'Is',
    settings: request.settings ?? defaultFlowSettings(),
    css: request.css ?? '',
    meta: request.meta ?? {},
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

// Omits settings without a value, so that a stored flow has no empty members.
function settingsFrom(initialOf: (name: keyof FlowSettings) => unknown): FlowSettings {
  const names = Object.keys(flowSettings) as (keyof FlowSettings)[];
  const entries = names.map((name) => [name, initialOf(name)] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined),
  ) as unknown as FlowSettings;
}

function requireKnown(
  input: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix: string,
): void {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuseWord(`${prefix}${unknown.slice(0, 60)}`, known, unknown);
}

function parseMeta(value: unknown, name: string): Readonly<Record<string, string>> {
  const { members, nameCharacters, valueCharacters } = metaMax;
  if (!isRecord(value)) return refuse(name, 'an object of texts', value);
  const entries = Object.entries(value);
  if (entries.length > members) refuse(name, `at most ${members} members`, entries.length);
  for (const [key, each] of entries) {
    if (typeof each !== 'string' || each.length > valueCharacters || key.length > nameCharacters) {
      refuse(`${name}.${key.slice(0, 60)}`, `a text of at most ${valueCharacters}`, each);
    }
  }
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}
