import { type LocaleCode, localeOf, type ReportWords } from '../../base/words/index.ts';
import { fingerprintOf } from '../../trust/signature.ts';
import {
  objectsOf,
  type ReferenceReport,
  type TimestampSummary,
} from '../../verify/report/index.ts';
import { shownTime } from './sentences.ts';
import { nameOf, shownText } from './shown-text.ts';
import type { AnyConclusion } from './verdict.ts';
import { rowsOf, type ViewRow } from './view-row.ts';

/** Maximum number of references listed. */
const REFERENCES_MAX = 50;

/** The details of a signature as labelled rows. */
export function detailRows(conclusion: AnyConclusion, language: LocaleCode): readonly ViewRow[] {
  const words = localeOf(language).report;
  const { labels, texts } = words;
  const { signer, anchor, level, algorithm, intact, timeProved, bestTime, kind } = conclusion;
  const validity =
    signer === undefined
      ? undefined
      : `${shownTime(signer.notBefore, language)} – ${shownTime(signer.notAfter, language)}`;
  return [
    ...placeRows(conclusion, words),
    ...rowsOf(labels, { integrity: integrityText(intact, words) }),
    ...coverageRows(conclusion, words),
    ...rowsOf(labels, {
      level: level === undefined ? undefined : `${familyOf(conclusion)} ${level}`,
      time: timeProved ? shownTime(bestTime, language) : kind === 'signature' ? texts.unproved : '',
    }),
    ...conclusion.timestamps.map((stamp) => stampRow(stamp, words, language)),
    ...rowsOf(labels, { signer: signer?.subject, issuer: signer?.issuer, validity }),
    ...rowsOf(labels, { serialNumber: signer?.serialNumber }, true),
    ...rowsOf(labels, { fingerprint: fingerprintText(conclusion) }, true),
    ...rowsOf(labels, { anchor, qualification: qualificationText(conclusion) }),
    ...rowsOf(labels, { algorithm }, true),
  ];
}

/** The location of the signature: field, file, element. */
function placeRows(conclusion: AnyConclusion, { labels }: ReportWords): readonly ViewRow[] {
  if ('field' in conclusion) return rowsOf(labels, { field: shownText(conclusion.field, 80) });
  const id = 'id' in conclusion ? (conclusion.id ?? '') : '';
  return [
    ...rowsOf(labels, { file: shownText(conclusion.file ?? '', 80) }),
    ...(id === '' ? [] : [{ label: 'Id', text: shownText(id, 80) }]),
  ];
}

/** The unverified claims in the signature. */
export function claimRows(conclusion: AnyConclusion, language: LocaleCode): readonly ViewRow[] {
  const { labels, texts } = localeOf(language).report;
  const { claimedTime } = conclusion;
  const time = claimedTime === undefined ? undefined : shownTime(claimedTime, language);
  if ('field' in conclusion) {
    const { statedSigner, reason, location, certifies } = conclusion;
    // A stated signer is already named in the heading and the sentences.
    const name = statedSigner === undefined ? conclusion.name : undefined;
    const changes = certifies === undefined ? undefined : texts[`p${certifies}`];
    return rowsOf(labels, { claimedTime: time, name, reason, location, certifies: changes });
  }
  if (!('offsetBytes' in conclusion)) return rowsOf(labels, { claimedTime: time });
  const { roles, location, commitments, policy } = conclusion;
  const role = roles?.join(', ');
  const commitment = commitments?.join(', ');
  return rowsOf(labels, { claimedTime: time, role, location, commitment, policy });
}

function integrityText(intact: boolean | undefined, { texts, states }: ReportWords): string {
  if (intact === undefined) return states.INDETERMINATE;
  return intact ? texts.intact : texts.broken;
}

/** The qualification according to trusted lists, with its reasons. */
function qualificationText({ qualification }: AnyConclusion): string | undefined {
  if (qualification === undefined) return undefined;
  const { result, reasons } = qualification;
  return [result, ...reasons].join(' · ');
}

function familyOf(conclusion: AnyConclusion): string {
  if ('field' in conclusion) return 'PAdES';
  return 'offsetBytes' in conclusion ? 'XAdES' : 'CAdES';
}

function coverageRows(conclusion: AnyConclusion, words: ReportWords): readonly ViewRow[] {
  const { labels, texts } = words;
  if ('field' in conclusion) {
    const { coverage } = conclusion;
    const wholes = { 'whole-file': texts.whole, revision: texts.revision, partial: texts.part };
    return rowsOf(labels, { coverage: wholes[coverage] });
  }
  const covered = conclusion.references.filter(
    ({ scope }) => scope !== 'properties' && scope !== 'key',
  );
  return covered.slice(0, REFERENCES_MAX).flatMap((one) => {
    return rowsOf(labels, { coverage: referenceText(one, words) });
  });
}

function referenceText(
  { uri, target, scope, status }: ReferenceReport,
  words: ReportWords,
): string {
  const { texts } = words;
  const isWhole = scope === 'document' || (target === undefined && (uri ?? '') === '');
  const name = isWhole ? texts.whole : shownText(target ?? uri ?? '', 120);
  return status === 'valid' ? name : `${name} (${texts.broken})`;
}

function stampRow(
  { time, authority, valid, trusted, timeProblem }: TimestampSummary,
  { labels, texts }: ReportWords,
  language: LocaleCode,
): ViewRow {
  const text = [shownTime(time, language), shownText(nameOf(authority), 120)];
  const doubt = timeProblem === undefined ? [] : [texts.uncounted];
  const state = valid ? (trusted ? doubt : [texts.untrusted]) : [texts.broken];
  return { label: labels.stamp, text: [...text, ...state].filter(Boolean).join(' · ') };
}

function fingerprintText(conclusion: AnyConclusion): string | undefined {
  const [certificate] = objectsOf(conclusion)?.path ?? [];
  if (certificate === undefined) return undefined;
  return Buffer.from(fingerprintOf(certificate, 'sha256')).toString('hex');
}
