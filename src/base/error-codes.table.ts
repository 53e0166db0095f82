/** How a code is answered by each face, and one sentence that docs/errors.md prints. */
export interface ErrorKind {
  /** Status of an HTTP answer. */
  readonly httpStatus: number;
  /** Exit code of the command line. */
  readonly exitCode: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 130;
  /** What happened, for docs/errors.md. */
  readonly summary: string;
}

const kind = (httpStatus: number, exitCode: ErrorKind['exitCode'], summary: string): ErrorKind => ({
  httpStatus,
  exitCode,
  summary,
});

/** Every error code of innsigli; docs/errors.md is generated from this table. */
export const errorKinds = {
  'internal.unexpected': kind(500, 1, 'A fault of innsigli itself; nothing was written.'),
  interrupted: kind(500, 130, 'The run was interrupted; nothing was written.'),
  'limit.exceeded': kind(413, 7, 'The input asks for more than a limit allows.'),

  'usage.invalid': kind(400, 2, 'An option or argument is wrong or missing.'),
  'usage.output.same': kind(400, 2, 'The output would replace the input.'),
  'usage.output.exists': kind(409, 2, 'The output exists already and --force was not given.'),
  'usage.output.terminal': kind(400, 2, 'Binary output would go to a terminal.'),
  'usage.input.required': kind(400, 2, 'A question must be answered but no terminal may be asked.'),

  'io.input.notfound': kind(404, 5, 'The input file does not exist.'),
  'io.input.unreadable': kind(400, 1, 'The input file cannot be read.'),
  'io.input.changed': kind(409, 1, 'The input file was changed while it was read.'),
  'io.output.unwritable': kind(500, 1, 'The output cannot be written.'),

  'batch.locked': kind(409, 6, 'Another batch is working in the same folder.'),
  'batch.unfinished': kind(409, 6, 'An unfinished batch would be lost.'),
  'batch.journal.invalid': kind(409, 6, 'The journal of a batch cannot be continued.'),
  'batch.output.collision': kind(400, 2, 'Two documents of a batch would have one result.'),

  'config.invalid': kind(500, 10, 'A configuration file or environment variable is wrong.'),
  'config.datadir.missing': kind(500, 10, 'The data directory has no database of the service.'),
  'config.datadir.unusable': kind(500, 10, 'The data directory cannot be made or used.'),

  'pdf.empty': kind(400, 7, 'The input has no bytes.'),
  'pdf.notpdf': kind(400, 7, 'The input has no PDF header.'),
  'pdf.truncated': kind(400, 7, 'The PDF ends before its end marker or inside an object.'),
  'pdf.xref.invalid': kind(400, 7, 'The cross-reference data is missing or damaged.'),
  'pdf.syntax.invalid': kind(400, 7, 'An object of the PDF is not well-formed.'),
  'pdf.object.missing': kind(400, 7, 'An object that is needed is not in the PDF.'),
  'pdf.structure.invalid': kind(400, 7, 'Catalog, page tree or form of the PDF is not usable.'),
  'pdf.stream.invalid': kind(400, 7, 'A stream of the PDF cannot be decoded.'),
  'pdf.filter.unsupported': kind(400, 7, 'A stream that must be read uses an unknown filter.'),
  'pdf.password.needed': kind(400, 4, 'The PDF opens with a password only.'),
  'pdf.password.wrong': kind(400, 4, 'The password does not open the PDF.'),
  'pdf.permission.denied': kind(400, 6, 'The encrypted PDF forbids its users to sign it.'),
  'pdf.encryption.unsupported': kind(400, 7, 'The PDF is encrypted in a way that is not known.'),
  'pdf.encryption.invalid': kind(400, 7, 'The encryption dictionary of the PDF is damaged.'),
  'pdf.certified.locked': kind(400, 6, 'A certification signature forbids further changes.'),
  'pdf.certify.late': kind(400, 6, 'Only the first signature of a PDF can certify it.'),
  'pdf.field.signed': kind(400, 6, 'The named signature field is signed already.'),
  'pdf.field.invalid': kind(400, 6, 'The named field is not a signature field that can be used.'),
  'pdf.damaged.signed': kind(400, 7, 'The PDF is signed and too damaged to keep that safe.'),
  'pdf.signature.broken': kind(400, 7, 'A signature that the PDF carries already is not intact.'),
  'pdf.signature.none': kind(400, 7, 'The PDF carries no signature.'),

  'xml.invalid': kind(400, 7, 'The XML document is not well-formed.'),
  'xml.dtd.forbidden': kind(400, 7, 'The XML document has a document type declaration.'),
  'xml.encoding.unsupported': kind(400, 7, 'The XML document is not encoded in UTF-8.'),
  'xml.limit': kind(413, 7, 'The XML document nests, declares or weighs more than is accepted.'),
  'xml.signature.invalid': kind(400, 7, 'An XML signature or its properties are not well-formed.'),
  'xml.signature.broken': kind(400, 6, 'An earlier XML signature would not survive.'),
  'xml.signature.none': kind(400, 7, 'The XML document carries no intact XAdES signature.'),
  'xml.target.invalid': kind(400, 6, 'What shall be sealed is missing or cannot be sealed so.'),

  'container.invalid': kind(400, 7, 'The container is not a sound ZIP archive or ASiC container.'),
  'container.signature.none': kind(400, 7, 'The container carries no intact signature.'),
  'container.signature.broken': kind(400, 6, 'An earlier signature of the container would break.'),
  'archive.timestamp.broken': kind(400, 6, 'An earlier archive time-stamp does not hold.'),
  'container.limit': kind(413, 7, 'The container holds or inflates to more than is accepted.'),

  'asn1.invalid': kind(400, 7, 'A DER structure is not well-formed.'),
  'x509.invalid': kind(400, 10, 'A certificate, CRL or OCSP answer is not well-formed.'),
  'cms.invalid': kind(400, 7, 'A CMS structure is not well-formed.'),
  'tsp.invalid': kind(400, 8, 'A time-stamp structure is not well-formed.'),
  'algorithm.unsupported': kind(400, 10, 'An algorithm is unknown or not accepted.'),

  'key.unreadable': kind(400, 10, 'The key, certificate or PKCS#12 file cannot be understood.'),
  'key.password.missing': kind(401, 4, 'The key is protected and no password was given.'),
  'key.password.wrong': kind(401, 4, 'The password does not open the key.'),
  'key.mismatch': kind(400, 10, 'The private key does not belong to the certificate.'),
  'key.expired': kind(400, 10, 'The signing certificate has expired.'),
  'key.notyetvalid': kind(400, 10, 'The signing certificate is not valid yet.'),
  'key.usage.forbidden': kind(400, 10, 'The certificate is not meant for signing documents.'),
  'key.sign.failed': kind(500, 10, 'The signer gave no usable signature.'),

  'certificate.untrusted': kind(400, 10, 'No path leads from a certificate to a trust anchor.'),
  'certificate.revoked': kind(400, 10, 'A certificate is revoked.'),
  'revocation.missing': kind(502, 8, 'No usable revocation data for a certificate was found.'),

  'tsa.missing': kind(500, 10, 'The level needs a time-stamp authority and none is configured.'),
  'tsa.unreachable': kind(502, 8, 'The time-stamp authority cannot be reached.'),
  'tsa.timeout': kind(504, 8, 'The time-stamp authority did not answer in time.'),
  'tsa.http.status': kind(502, 8, 'The time-stamp authority answered with an HTTP error.'),
  'tsa.credentials': kind(502, 4, 'The time-stamp authority refused the credentials.'),
  'tsa.refused': kind(502, 8, 'The time-stamp authority refused the request.'),
  'tsa.response.invalid': kind(502, 8, 'The answer of the time-stamp authority is garbage.'),
  'tsa.imprint.mismatch': kind(502, 8, 'The time-stamp is for other data.'),
  'tsa.nonce.mismatch': kind(502, 8, 'The time-stamp does not answer this request.'),
  'tsa.policy.mismatch': kind(502, 8, 'The time-stamp was made under another policy.'),
  'tsa.imprint.unknown': kind(502, 8, 'What the time-stamp covers cannot be computed.'),
  'tsa.signature.invalid': kind(502, 8, 'The signature of the time-stamp is wrong.'),
  'tsa.certificate.expired': kind(502, 8, 'The certificate of the authority has expired.'),
  'tsa.certificate.invalid': kind(502, 8, 'The certificate may not issue time-stamps.'),
  'tsa.certificate.untrusted': kind(502, 8, 'The authority does not lead to a trust anchor.'),
  'tsa.time.skewed': kind(502, 8, 'The time of the time-stamp is far from the local clock.'),

  'network.offline': kind(503, 8, 'A network access is needed and --offline forbids it.'),
  'network.blocked': kind(502, 8, 'An address is not one that may be contacted.'),
  'network.failed': kind(502, 8, 'A remote party could not be reached or failed.'),

  'font.invalid': kind(500, 10, 'A font file is damaged or not of a usable kind.'),

  'seal.image.invalid': kind(400, 2, 'The image of a visible seal is damaged or not usable.'),
  'seal.rect.invalid': kind(400, 2, 'The place of a visible seal is not inside the page.'),
  'seal.seed.refused': kind(400, 6, 'The signature field demands what this seal does not have.'),
  'seal.pages.signed': kind(400, 6, 'Stamps on further pages would change a signed document.'),
  'seal.page.full': kind(400, 6, 'The page has no free slot for another visible seal.'),
  'seal.reservation.exceeded': kind(500, 1, 'The signature outgrew the space reserved for it.'),
  'seal.selfcheck.failed': kind(500, 1, 'The result failed verification and was thrown away.'),

  'validation.error': kind(400, 2, 'A value of the request is missing or wrong.'),
  'request.throttled': kind(429, 6, 'Too many failed attempts; wait as long as the answer says.'),
  'request.rate.exceeded': kind(429, 6, 'Too many requests; wait as long as the answer says.'),
  'request.method.unsupported': kind(405, 5, 'The address has other methods; Allow names them.'),
  'request.media.unsupported': kind(415, 2, 'The Content-Type of the request is not taken.'),
  'idempotency.key.reused': kind(422, 6, 'The Idempotency-Key was sent with another request.'),
  'idempotency.in_flight': kind(
    409,
    9,
    'The request of this Idempotency-Key is still running, or it ended without an answer.',
  ),
  'route.not_found': kind(404, 5, 'There is no such address.'),
  'authentication.token.invalid': kind(401, 4, 'The token is unknown or has expired.'),
  'authentication.token.scope.invalid': kind(403, 4, 'The token is for something else.'),
  'authentication.credentials.invalid': kind(401, 4, 'Credentials are missing or wrong.'),
  'authentication.error.forbidden': kind(403, 4, 'The login was refused, cancelled or too late.'),
  'authentication.error.idp.start': kind(403, 4, 'The identity provider did not start a session.'),
  'authentication.poll.too_frequent': kind(429, 9, 'The interval between polls has not passed.'),
  'authentication.error.signee.logon.mismatch': kind(401, 4, 'Another person has logged in.'),
  'process.passcode.not_valid': kind(403, 4, 'The passcode is wrong, or was tried too often.'),
  'eid.provider.error': kind(502, 8, 'A foreign e-ID provider refused or failed.'),
  'authentication.preprocess.utility.not.exists': kind(401, 6, 'The person has no meter.'),

  'apikeys.webhook_signature_key.invalid': kind(403, 4, 'The webhook key is another one.'),
  'archive.document.not_signed': kind(400, 7, 'The document to archive is not signed.'),

  'company.not_found': kind(404, 5, 'There is no such company.'),
  'company.key.not_found': kind(404, 5, 'The company has no such API key.'),
  'flow.not_found': kind(404, 5, 'There is no such flow or version of it.'),
  'flow.schema.invalid': kind(400, 7, 'The schema of a smart flow is not a usable JSON Schema.'),
  'flow.values.invalid': kind(400, 7, 'The values do not fit the schema or the form of the flow.'),
  'template.not_found': kind(404, 5, 'There is no such mail text.'),
  'template.invalid': kind(400, 2, 'A template has an unknown or unclosed placeholder.'),

  'process.not_found': kind(404, 5, 'There is no such process or sequence.'),
  'process.file.not_found': kind(404, 5, 'The process has no such file, or no longer.'),
  'process.state.refused': kind(409, 6, 'The process is not in the state that this asks for.'),
  'process.conflict': kind(409, 6, 'The process was changed at the same time, again and again.'),
  'process.finalize.failed': kind(500, 1, 'The signed document could not be sealed and archived.'),
  'sequence.cancel.forbidden': kind(403, 6, 'Only who started the sequence may cancel it.'),
  '10101': kind(406, 6, 'The trial of the company has run out.'),

  'error.signee.not_found': kind(404, 5, 'The process has no such signee.'),
  'error.signee.wrong.route': kind(403, 6, 'The document is part of a sequence.'),
  'error.signee.process.finished': kind(403, 6, 'The process is finished.'),
  'error.signee.add.exists': kind(403, 6, 'The person is a signee already.'),
  'signing.forbidden.inactive': kind(403, 6, 'The process has not started.'),
  'signing.forbidden.canceled': kind(403, 6, 'The process is cancelled.'),
  'signing.forbidden.expired': kind(403, 6, 'The process has expired.'),
  'signing.forbidden.blocked': kind(403, 6, 'The process is blocked.'),
  'signing.forbidden.order': kind(403, 6, 'It is not the turn of this signee.'),
  'signing.forbidden.type': kind(403, 6, 'The signee signs in another way.'),
  'signing.forbidden.signee.signed': kind(403, 6, 'The signee has signed.'),
  'signing.forbidden.verification.missing': kind(403, 6, 'The signee has not logged in.'),
  '2002': kind(403, 6, 'Another signee is signing at this moment.'),
  '1120': kind(400, 4, 'The one-time code is wrong.'),
  '1121': kind(400, 6, 'The one-time code has expired.'),
  '1122': kind(400, 5, 'There is no such one-time code.'),

  'reminder.rule.invalid': kind(400, 2, 'The reminder rule is not FIRST:INTERVAL in days.'),
  'reminder.delivery.not_allowed': kind(400, 2, 'This signee cannot be reminded that way.'),
  'reminder.phone.missing': kind(400, 2, 'The signee has no phone number.'),
  'reminder.email.missing': kind(400, 2, 'The signee has no e-mail address.'),

  'webhook.not_found': kind(404, 5, 'There is no such webhook or delivery.'),
  'webhook.url.invalid': kind(400, 2, 'The address of the webhook may not be used.'),
  'webhook.inactive': kind(409, 6, 'The webhook is switched off.'),

  'message.delivery.not_allowed': kind(400, 2, 'This signee cannot be written to that way.'),
  'message.phone.missing': kind(400, 2, 'There is no phone number to send a text message to.'),
  'message.email.missing': kind(400, 2, 'There is no e-mail address to send a mail to.'),
  'message.not_found': kind(404, 5, 'There is no such message.'),
  'message.state.refused': kind(409, 6, 'The message cannot be sent again.'),
  'compliance.not_found': kind(404, 5, 'Nothing was ever recorded about this person or business.'),
  'screening.date.invalid': kind(400, 2, 'The date of birth is not YYYY-MM-DD.'),
  'screening.flow.invalid': kind(400, 2, 'The flow key is not one that may be screened with.'),
  'screening.quota.exceeded': kind(429, 9, 'The company has asked too often in this minute.'),

  'mail.refused': kind(502, 8, 'The mail server will not take this mail.'),
  'mail.failed': kind(502, 8, 'The mail could not be handed over now.'),
  'sms.refused': kind(502, 8, 'The gateway will not take this text message.'),
  'sms.failed': kind(502, 8, 'The text message could not be handed over now.'),

  'activity.export.invalid': kind(400, 7, 'The file is no export of an activity log.'),
  'activity.chain.broken': kind(500, 7, 'A row of the activity log was changed or is missing.'),

  'service.busy': kind(503, 6, 'Too many documents wait to be worked on; try again soon.'),
  'service.timeout': kind(503, 6, 'The work on the document took too long and was stopped.'),
  'service.process.lost': kind(500, 1, 'Processes of the service end again and again.'),

  'store.busy': kind(503, 6, 'The database is busy with other work.'),
  'store.full': kind(507, 1, 'The disk is full; nothing was changed.'),
  'store.readonly': kind(500, 10, 'The data directory cannot be written.'),
  'store.corrupt': kind(500, 1, 'The database is damaged.'),
  'store.unavailable': kind(503, 8, 'The database cannot be reached or opened.'),
  'store.network': kind(500, 10, 'The database would lie on a network file system.'),
  'store.schema.newer': kind(500, 10, 'The database was made by a newer version.'),
  'blob.missing': kind(500, 1, 'A stored document is missing.'),
  'blob.corrupt': kind(500, 1, 'A stored document is not what it was.'),
  'vault.invalid': kind(500, 10, 'A stored secret cannot be opened with this key.'),
  'clock.back': kind(500, 1, 'The clock is behind the newest row of the log.'),
} as const satisfies Record<string, ErrorKind>;

/** A code of the registry. */
export type ErrorCode = keyof typeof errorKinds;
