import { Type } from '@sinclair/typebox';
import {
  about,
  flag,
  list,
  members,
  moment,
  oneOf,
  opt,
  type Shapes,
  text,
  whole,
} from './words.ts';

const listOutcome = members(
  {
    location: text,
    territory: opt(text),
    result: about(
      '`kept`: the offered list was rejected, and the stored one stays; `missing`: it was ' +
        'rejected, and none is stored; `dropped`: the list of lists no longer refers to it.',
      oneOf('new', 'updated', 'unchanged', 'kept', 'missing', 'dropped'),
    ),
    problem: opt(members({ code: text, message: text })),
  },
  'ListOutcome',
);

const listStatus = members(
  {
    territory: text,
    operator: text,
    location: text,
    sequenceNumber: whole,
    issued: moment,
    nextUpdate: opt(about('Absent if the scheme was closed.', moment)),
    isOverdue: flag,
    providers: whole,
    services: whole,
    signature: about(
      'Result of verifying the signature again for this output.',
      oneOf('valid', 'broken'),
    ),
    problem: opt(text),
    signer: about("Subject of the signer's certificate, RFC 4514.", text),
    version: about(
      'Version of the list format, `TSLVersionIdentifier`.',
      Type.Union([Type.Literal(5), Type.Literal(6)]),
    ),
  },
  'ListStatus',
);

const profileStatus = {
  name: text,
  version: about('Incremented by every change of the profile.', whole),
  changed: moment,
  source: opt(text),
  certificates: whole,
  lists: list(listStatus),
};

const shownService = members(
  {
    territory: text,
    provider: text,
    name: text,
    type: about('Last segments of the URI of its type: `CA/QC`, `TSA/QTST`.', text),
    status: text,
    since: moment,
  },
  'ShownService',
);

const changed = members({ profile: text, version: whole, lists: list(listOutcome) });

/** Documents of `trust` with --json. */
export const trustBodies: Shapes = {
  'trust sync': [changed],
  'trust import': [changed],
  'trust list': [members({ profiles: list(members(profileStatus, 'ProfileStatus')) })],
  'trust show': [
    members({
      ...profileStatus,
      expired: opt(oneOf('refuse', 'warn')),
      signers: list(members({ subject: text, sha256: text })),
      anchors: about(
        'Anchors in addition to those of lists.',
        list(members({ subject: text, sha256: text, notBefore: moment, notAfter: moment })),
      ),
      pivots: list(listStatus),
      services: opt(list(shownService)),
    }),
  ],
  'trust export': [members({ profile: text, output: text, lengthBytes: whole, sha256: text })],
};
