import { isRecord } from '../../../base/input.ts';
import type { FlowValue } from '../../../domain/flow/index.ts';
import type { AskCondition, FormQuestion, FormQuestions, RowsQuestion } from './question.ts';

type Question = FormQuestion | RowsQuestion;
type Node = Readonly<Record<string, unknown>>;

/** The effect of one `if` of a schema on the questions of a form. */
interface Rule {
  readonly condition: AskCondition;
  /** Values that must be absent unless the condition holds. */
  readonly names: readonly string[];
  /** Values that must be present if it holds. */
  readonly required: ReadonlySet<string>;
}

/**
 * Adds to the questions the conditions that the schema sets for them: a value that must be absent
 * in one branch of an `if` is not asked for there. The schema itself is not changed, so that it
 * rejects values that were not asked for.
 *
 * @spec JSON Schema draft-07 validation §6.6
 */
export function withConditions(questions: FormQuestions, schema: unknown): FormQuestions {
  const rules = rulesOf(schema);
  if (rules.length === 0) return questions;
  return questions.map((question) => {
    const own = rules.filter(({ names }) => names.some((name) => isAbout(question, name)));
    if (own.length === 0) return question;
    const askedIf = own.map(({ condition }) => condition);
    const isNeeded = own.some(({ required }) => required.has(question.name));
    if (question.kind === 'rows' || question.kind === 'boolean' || !isNeeded) {
      return { ...question, askedIf };
    }
    return { ...question, askedIf, isRequired: question.isNullable !== true };
  });
}

/** Whether `name`, a member of the values, is or contains the answer to the question. */
function isAbout(question: Question, name: string): boolean {
  const isPath = question.kind === 'rows' || question.isPath === true;
  return question.name === name || (isPath && question.name.startsWith(`${name}.`));
}

function rulesOf(schema: unknown): readonly Rule[] {
  if (!isRecord(schema)) return [];
  const { allOf } = schema;
  const parts = [schema, ...(Array.isArray(allOf) ? allOf : [])].filter(isRecord);
  return parts.flatMap((part) => {
    const tests = testsOf(part['if']);
    if (tests === undefined) return [];
    return [
      ...ruleOf({ tests }, part['else'], part['then']),
      ...ruleOf({ tests, isNegated: true }, part['then'], part['else']),
    ];
  });
}

/** The rule that follows from `without`, the branch in which the condition does not hold. */
function ruleOf(condition: AskCondition, without: unknown, within: unknown): readonly Rule[] {
  const { properties } = isRecord(without) ? without : ({} as Node);
  if (!isRecord(properties)) return [];
  const names = Object.keys(properties).filter((name) => properties[name] === false);
  const needed = isRecord(within) ? within['required'] : undefined;
  const required = new Set<string>(Array.isArray(needed) ? needed : []);
  return names.length === 0 ? [] : [{ condition, names, required }];
}

/** The comparisons of an `if`; undefined if it does more than a page can evaluate. */
function testsOf(node: unknown): AskCondition['tests'] | undefined {
  if (!isRecord(node)) return undefined;
  const { properties, required = [], type: _, ...others } = node;
  if (!isRecord(properties) || !Array.isArray(required)) return undefined;
  if (Object.keys(others).length > 0) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0 || required.some((name) => !names.includes(name))) return undefined;
  const tests = names.map((name) => {
    const values = valuesOf(properties[name]);
    const orNone = required.includes(name) ? {} : ({ orNone: true } as const);
    return values && { name, values, ...orNone };
  });
  return tests.every((each) => each !== undefined) ? tests : undefined;
}

function valuesOf(node: unknown): readonly FlowValue[] | undefined {
  if (!isRecord(node)) return undefined;
  const { const: only, enum: listed, type: _, ...others } = node;
  if (Object.keys(others).length > 0) return undefined;
  if (only !== undefined) return listed === undefined ? [only as FlowValue] : undefined;
  return Array.isArray(listed) ? (listed as FlowValue[]) : undefined;
}

/** Returns the reason that the conditions of a form cannot be evaluated; undefined if they can. */
export function conditionFault(questions: FormQuestions): string | undefined {
  const byName = new Map(questions.map((each) => [each.name, each]));
  const over = new Set<string>();
  const open = new Set<string>();
  const visit = (name: string): string | undefined => {
    if (over.has(name)) return undefined;
    if (open.has(name)) return `${shown(name)} depends on its own answer`;
    open.add(name);
    const conditions = byName.get(name)?.askedIf ?? [];
    for (const { name: each, orNone } of conditions.flatMap(({ tests }) => tests)) {
      const question = byName.get(each);
      // There are answers to members of this value, so it is present.
      const isPart = () => questions.some((other) => other.name.startsWith(`${each}.`));
      // A value never asked for is always absent, so a test that accepts absence always holds.
      if (orNone === true && question === undefined && !isPart()) continue;
      if (question === undefined || question.kind === 'rows') {
        return `${shown(name)} depends on ${shown(each)}, which has no single answer in the form`;
      }
      const fault = visit(each);
      if (fault !== undefined) return fault;
    }
    open.delete(name);
    over.add(name);
    return undefined;
  };
  for (const { name } of questions) {
    const fault = visit(name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100));
