/**
 * HTTP status, exit code and audience of an error code, and the sentence that docs/errors.md
 * prints.
 */
export interface ErrorKind {
  /** Status of an HTTP answer. */
  readonly httpStatus: number;
  /** Exit code of the command line. */
  readonly exitCode: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 130;
  /** Description of the error, for docs/errors.md. */
  readonly summary: string;
}

const kind = (httpStatus: number, exitCode: ErrorKind['exitCode'], summary: string): ErrorKind => ({
  httpStatus,
  exitCode,
  summary,
});

/** Every error code of innsigli; docs/errors.md is generated from this table. */
export const errorKinds = {
  'internal.unexpected': kind(
    500,
    1,
    'An unexpected error: this is a bug in innsigli. Nothing was written.',
  ),
  interrupted: kind(500, 130, 'The run was interrupted; nothing was written.'),
  'limit.exceeded': kind(413, 7, 'The input exceeds a limit.'),

  'usage.invalid': kind(400, 2, 'An option or argument is invalid or missing.'),
  'usage.output.same': kind(400, 2, 'The output would replace the input.'),
  'usage.output.exists': kind(409, 2, 'The output already exists and --force was not given.'),
  'usage.output.terminal': kind(400, 2, 'Binary output would go to a terminal.'),
  'usage.input.required': kind(400, 2, 'Input is required, but there is no terminal to prompt on.'),

  'io.input.notfound': kind(404, 5, 'The input file does not exist.'),
  'io.input.unreadable': kind(400, 1, 'The input file cannot be read.'),
  'io.input.changed': kind(409, 1, 'The input file was changed while it was read.'),
  'io.link': kind(409, 1, 'A path is a symbolic link where none is allowed.'),
  'io.output.unwritable': kind(500, 1, 'The output cannot be written.'),

  'batch.locked': kind(409, 6, 'Another batch is running in the same folder.'),
  'batch.unfinished': kind(409, 6, 'The command would discard an unfinished batch.'),
  'batch.journal.invalid': kind(409, 6, 'The journal of a batch cannot be continued.'),
  'batch.output.collision': kind(400, 2, 'Two documents of a batch have the same output file.'),

  'config.invalid': kind(500, 10, 'A configuration file or environment variable is invalid.'),
  'config.datadir.missing': kind(500, 10, 'The data directory has no service database.'),
  'config.datadir.unusable': kind(500, 10, 'The data directory cannot be created or used.'),

  'pdf.empty': kind(400, 7, 'The input is empty.'),
  'pdf.notpdf': kind(400, 7, 'The input has no PDF header.'),
  'pdf.truncated': kind(400, 7, 'The PDF ends before its end marker or inside an object.'),
  'pdf.xref.invalid': kind(400, 7, 'The cross-reference data is missing or damaged.'),
  'pdf.syntax.invalid': kind(400, 7, 'An object of the PDF is not well-formed.'),
  'pdf.object.missing': kind(400, 7, 'A required object is missing from the PDF.'),
  'pdf.structure.invalid': kind(400, 7, 'The catalog, page tree or form of the PDF is invalid.'),
  'pdf.stream.invalid': kind(400, 7, 'A stream of the PDF cannot be decoded.'),
  'pdf.filter.unsupported': kind(400, 7, 'A stream that must be read uses an unknown filter.'),
  'pdf.password.needed': kind(400, 4, 'The PDF needs a password.'),
  'pdf.password.wrong': kind(400, 4, 'The password of the PDF is incorrect.'),
  'pdf.permission.denied': kind(
    400,
    6,
    'The permissions of the encrypted PDF do not allow signing.',
  ),
  'pdf.encryption.unsupported': kind(400, 7, 'The PDF uses an unsupported encryption method.'),
  'pdf.encryption.invalid': kind(400, 7, 'The encryption dictionary of the PDF is damaged.'),
  'pdf.content.active': kind(
    400,
    6,
    'The PDF has active content, such as JavaScript, which is not accepted from customers.',
  ),
  'pdf.certified.locked': kind(400, 6, 'A certification signature forbids further changes.'),
  'pdf.certify.late': kind(400, 6, 'Only the first signature of a PDF can certify it.'),
  'pdf.field.signed': kind(400, 6, 'The signature field is already signed.'),
  'pdf.field.invalid': kind(400, 6, 'The field is not a usable signature field.'),
  'pdf.damaged.ambiguous': kind(
    400,
    7,
    'The PDF is damaged, and programs show different documents for it.',
  ),
  'pdf.damaged.signed': kind(
    400,
    7,
    'The PDF is signed and too damaged to preserve the signature.',
  ),
  'pdf.signature.broken': kind(400, 7, 'An existing signature of the PDF is not intact.'),
  'pdf.signature.none': kind(400, 7, 'The PDF has no signature.'),

  'xml.invalid': kind(400, 7, 'The XML document is not well-formed.'),
  'xml.dtd.forbidden': kind(400, 7, 'The XML document has a document type declaration.'),
  'xml.encoding.unsupported': kind(400, 7, 'The XML document is not encoded in UTF-8.'),
  'xml.limit': kind(
    413,
    7,
    'The XML document exceeds a limit of size, depth or namespace declarations.',
  ),
  'xml.signature.invalid': kind(400, 7, 'An XML signature or its properties are not well-formed.'),
  'xml.signature.broken': kind(400, 6, 'An earlier XML signature would become invalid.'),
  'xml.signature.none': kind(400, 7, 'The XML document has no intact XAdES signature.'),
  'xml.target.invalid': kind(
    400,
    6,
    'The element to seal is missing or cannot be sealed this way.',
  ),

  'container.invalid': kind(400, 7, 'The container is not a valid ZIP archive or ASiC container.'),
  'container.signature.none': kind(400, 7, 'The container has no intact signature.'),
  'container.signature.broken': kind(
    400,
    6,
    'An earlier signature of the container would become ' + 'invalid.',
  ),
  'archive.timestamp.broken': kind(400, 6, 'An earlier archive time-stamp is not valid.'),
  'archive.form.unsupported': kind(
    400,
    6,
    'An archive time-stamp has a format that would become ' + 'invalid.',
  ),
  'container.limit': kind(413, 7, 'The container exceeds a limit of size or number of files.'),

  'asn1.invalid': kind(400, 7, 'A DER structure is not well-formed.'),
  'x509.invalid': kind(400, 10, 'A certificate, CRL or OCSP response is not well-formed.'),
  'cms.invalid': kind(400, 7, 'A CMS structure is not well-formed.'),
  'cms.signature.none': kind(400, 7, 'The CMS file has no signature.'),
  'cms.signature.broken': kind(400, 7, 'A signature of the CMS file is not intact.'),
  'cms.content.missing': kind(400, 7, 'The content of a detached CMS signature is missing.'),
  'tsp.invalid': kind(400, 8, 'A time-stamp structure is not well-formed.'),
  'algorithm.unsupported': kind(400, 10, 'An algorithm is unknown or not allowed.'),

  'key.unreadable': kind(400, 10, 'The key, certificate or PKCS #12 file cannot be parsed.'),
  'key.password.missing': kind(401, 4, 'The key is encrypted and no password was given.'),
  'key.password.wrong': kind(401, 4, 'The password does not decrypt the key.'),
  'key.mismatch': kind(400, 10, 'The private key does not belong to the certificate.'),
  'key.expired': kind(400, 10, 'The signing certificate has expired.'),
  'key.notyetvalid': kind(400, 10, 'The signing certificate is not valid yet.'),
  'key.usage.forbidden': kind(400, 10, 'The certificate does not allow signing documents.'),
  'key.weak': kind(400, 10, 'The signing key, or the key of an issuer, is too weak.'),
  'key.sign.failed': kind(500, 10, 'The signer returned no usable signature.'),

  'certificate.untrusted': kind(400, 10, 'No path leads from a certificate to a trust anchor.'),
  'certificate.expired': kind(400, 7, 'A certificate expired before any proved time.'),
  'certificate.revoked': kind(400, 10, 'A certificate is revoked.'),
  'revocation.missing': kind(502, 8, 'No usable revocation data was found for a certificate.'),

  'tsa.missing': kind(500, 10, 'The level needs a time-stamp authority, and none is configured.'),
  'tsa.unreachable': kind(502, 8, 'The time-stamp authority cannot be reached.'),
  'tsa.timeout': kind(504, 8, 'The time-stamp authority did not answer in time.'),
  'tsa.http.status': kind(502, 8, 'The time-stamp authority returned an HTTP error.'),
  'tsa.credentials': kind(502, 4, 'The time-stamp authority rejected the credentials.'),
  'tsa.refused': kind(502, 8, 'The time-stamp authority rejected the request.'),
  'tsa.response.invalid': kind(502, 8, 'The time-stamp authority sent a malformed response.'),
  'tsa.imprint.mismatch': kind(502, 8, 'The time-stamp covers different data.'),
  'tsa.nonce.mismatch': kind(502, 8, 'The time-stamp belongs to a different request.'),
  'tsa.policy.mismatch': kind(502, 8, 'The time-stamp was issued under a different policy.'),
  'tsa.imprint.unknown': kind(502, 8, 'The data that the time-stamp covers cannot be determined.'),
  'tsa.signature.invalid': kind(502, 8, 'The signature of the time-stamp is invalid.'),
  'tsa.algorithm.unsupported': kind(502, 8, 'The algorithm of the time-stamp is not supported.'),
  'tsa.certificate.expired': kind(
    502,
    8,
    'The certificate of the time-stamp authority has expired.',
  ),
  'tsa.certificate.invalid': kind(502, 8, 'The certificate does not allow issuing time-stamps.'),
  'tsa.certificate.untrusted': kind(
    502,
    8,
    'No path leads from the time-stamp authority to a trust anchor.',
  ),
  'tsa.algorithm.weak': kind(
    502,
    10,
    'The algorithms of the time-stamp are too weak to prove its time.',
  ),
  'tsa.time.skewed': kind(
    502,
    8,
    'The time of the time-stamp differs too much from the local clock.',
  ),

  'trust.list.invalid': kind(
    400,
    7,
    'The document is not a trusted list according to ETSI TS ' + '119 612.',
  ),
  'trust.list.unsupported': kind(400, 7, 'A list or its pointer has an unsupported format.'),
  'trust.list.signature': kind(
    400,
    7,
    'The signature of a trusted list is invalid or not by one of its signers.',
  ),
  'trust.list.expired': kind(400, 7, 'The next update of a trusted list is overdue.'),
  'trust.list.rollback': kind(409, 7, 'A trusted list is older than the stored one.'),
  'trust.list.shrunk': kind(409, 7, 'A trusted list lacks most entries of the stored one.'),
  'trust.profile.notfound': kind(404, 5, 'No trust profile has this name.'),
  'trust.profile.invalid': kind(500, 10, 'A stored trust profile is damaged.'),
  'trust.bundle.invalid': kind(400, 7, 'The file is not a trust profile bundle, or is damaged.'),

  'network.offline': kind(503, 8, 'The operation needs the network, and --offline is set.'),
  'network.blocked': kind(502, 8, 'The address is not allowed.'),
  'network.failed': kind(502, 8, 'A remote server could not be reached or failed.'),

  'font.invalid': kind(500, 10, 'A font file is damaged or has an unsupported format.'),

  'seal.image.invalid': kind(
    400,
    2,
    'The image of a visible seal is damaged or has an unsupported format.',
  ),
  'seal.rect.invalid': kind(400, 2, 'The visible seal would be outside the page.'),
  'seal.seed.refused': kind(
    400,
    6,
    'The seed value dictionary of the field does not allow this seal.',
  ),
  'seal.pages.signed': kind(400, 6, 'Stamps on further pages would change a signed document.'),
  'seal.page.full': kind(400, 6, 'The page has no free slot for another visible seal.'),
  'seal.reservation.exceeded': kind(
    500,
    1,
    'The signature is larger than the space reserved for it.',
  ),
  'seal.selfcheck.failed': kind(500, 1, 'The result failed verification and was discarded.'),

  'validation.error': kind(400, 2, 'A value in the request is missing or invalid.'),
  'request.throttled': kind(
    429,
    6,
    'Too many failed attempts. Retry after the time in Retry-After.',
  ),
  'quota.processes.exceeded': kind(
    429,
    6,
    'The company has reached its daily number of processes.',
  ),
  'quota.attachments.exceeded': kind(
    429,
    6,
    'The company has reached its daily number of attachments.',
  ),
  'quota.mails.exceeded': kind(429, 6, 'The address has reached its daily number of mails.'),
  'quota.requests.exceeded': kind(
    429,
    6,
    'The company has reached its daily number of idempotent requests.',
  ),
  'quota.storage.exceeded': kind(507, 6, 'The company has used up its storage for documents.'),
  'request.share.exceeded': kind(
    429,
    6,
    'The client has too many requests in progress. Wait until they finish.',
  ),
  'request.rate.exceeded': kind(429, 6, 'Too many requests. Retry after the time in Retry-After.'),
  'request.method.unsupported': kind(
    405,
    5,
    'The method is not allowed here. The Allow header lists the allowed methods.',
  ),
  'request.media.unsupported': kind(415, 2, 'Unsupported Content-Type.'),
  'idempotency.key.reused': kind(
    422,
    6,
    'The Idempotency-Key was already used for a different request.',
  ),
  'idempotency.in_flight': kind(
    409,
    9,
    'The request with this Idempotency-Key is still running or ended without a response.',
  ),
  'route.not_found': kind(404, 5, 'The route does not exist.'),
  'authentication.token.invalid': kind(401, 4, 'The token is unknown or has expired.'),
  'authentication.token.scope.invalid': kind(
    403,
    4,
    'The token was issued for a different ' + 'purpose.',
  ),
  'authentication.result.used': kind(
    409,
    6,
    'The result of this login was already fetched. If not by you, someone else read the URL.',
  ),
  'authentication.key.scope': kind(403, 9, 'The scope of the API key does not allow this.'),
  'authentication.credentials.invalid': kind(401, 4, 'Credentials are missing or invalid.'),
  'authentication.error.forbidden': kind(403, 4, 'The login was refused, cancelled or timed out.'),
  'authentication.error.idp.start': kind(403, 4, 'The identity provider did not start a session.'),
  'authentication.start.too_frequent': kind(
    429,
    6,
    'Too many logins were started for this number or flow. Retry after the time in Retry-After.',
  ),
  'authentication.poll.too_frequent': kind(
    429,
    9,
    'Polled before the polling interval had passed.',
  ),
  'authentication.error.signee.logon.mismatch': kind(
    401,
    4,
    'The person who logged in is not the signee.',
  ),
  'authentication.error.signee.unprovable': kind(
    403,
    4,
    'This kind of login cannot prove the identity of the signee.',
  ),
  'process.passcode.not_valid': kind(403, 4, 'The passcode is incorrect or was tried too often.'),
  'eid.provider.error': kind(502, 8, 'An external e-ID provider rejected the request or failed.'),
  'eid.session.not_found': kind(404, 5, 'The e-ID simulator has no such pending session.'),
  'authentication.preprocess.utility.not.exists': kind(401, 6, 'The person has no utility meter.'),

  'register.unavailable': kind(503, 8, 'The register of persons cannot be reached or failed.'),
  'register.answer.invalid': kind(502, 8, 'The register of persons returned an invalid response.'),
  'register.configuration': kind(502, 10, 'The settings of the register of persons are invalid.'),
  'register.table.invalid': kind(
    500,
    10,
    'The imported register of persons is damaged or encrypted with a different key.',
  ),
  'register.import.shrunk': kind(409, 7, 'The imported file lacks many of the stored persons.'),

  'apikeys.webhook_signature_key.invalid': kind(403, 4, 'The webhook signature key is incorrect.'),
  'archive.document.not_signed': kind(400, 7, 'The document to archive is not signed.'),

  'company.not_found': kind(404, 5, 'The company does not exist.'),
  'company.key.not_found': kind(404, 5, 'The company has no such API key.'),
  'company.origin.not_found': kind(404, 5, 'The origin is not registered for the company.'),
  'flow.not_found': kind(404, 5, 'The flow or the version of the flow does not exist.'),
  'flow.schema.invalid': kind(400, 7, 'The schema of a smart flow is not a usable JSON Schema.'),
  'flow.values.invalid': kind(
    400,
    7,
    'The values do not match the schema or the form of the flow.',
  ),
  'template.not_found': kind(404, 5, 'The mail template does not exist.'),
  'template.invalid': kind(400, 2, 'The template has an unknown or unclosed placeholder.'),

  'process.not_found': kind(404, 5, 'The process or sequence does not exist.'),
  'process.file.not_found': kind(404, 5, 'The process does not have this file, or it was removed.'),
  'process.state.refused': kind(409, 6, 'The state of the process does not allow this.'),
  'process.conflict': kind(409, 6, 'Concurrent requests kept changing the process.'),
  'process.finalize.failed': kind(500, 1, 'The signed document could not be sealed and archived.'),
  'sequence.cancel.forbidden': kind(403, 6, 'Only the owner of the sequence may cancel it.'),
  '10101': kind(406, 6, 'The trial of the company has ended.'),

  'error.signee.not_found': kind(404, 5, 'The process has no such signee.'),
  'error.signee.wrong.route': kind(403, 6, 'The document is part of a sequence.'),
  'error.signee.process.finished': kind(403, 6, 'The process is finished.'),
  'error.signee.add.exists': kind(403, 6, 'The person is already a signee.'),
  'signing.forbidden.inactive': kind(403, 6, 'The process has not started.'),
  'signing.forbidden.canceled': kind(403, 6, 'The process is cancelled.'),
  'signing.forbidden.expired': kind(403, 6, 'The process has expired.'),
  'signing.forbidden.blocked': kind(403, 6, 'The process is blocked.'),
  'signing.forbidden.order': kind(403, 6, 'Earlier signees have not signed yet.'),
  'signing.forbidden.type': kind(403, 6, 'The signee must use another signature type.'),
  'signing.forbidden.signee.signed': kind(403, 6, 'The signee has already signed.'),
  'signing.forbidden.signee.limit': kind(
    403,
    6,
    'The link has reached its number of added or changed signees.',
  ),
  'signing.forbidden.document.signed': kind(
    403,
    6,
    'A signee has already signed, so the document and its signees cannot change.',
  ),
  'signing.forbidden.verification.missing': kind(403, 6, 'The signee has not logged in.'),
  '2002': kind(403, 6, 'Another signee is signing at the moment.'),
  '1120': kind(400, 4, 'The one-time code is incorrect.'),
  '1121': kind(400, 6, 'The one-time code has expired.'),
  '1122': kind(400, 5, 'The one-time code does not exist.'),

  'reminder.rule.invalid': kind(400, 2, 'The reminder rule is not FIRST:INTERVAL in days.'),
  'reminder.delivery.not_allowed': kind(400, 2, 'This signee cannot be reminded by this channel.'),
  'reminder.phone.missing': kind(400, 2, 'The signee has no phone number.'),
  'reminder.email.missing': kind(400, 2, 'The signee has no e-mail address.'),

  'webhook.not_found': kind(404, 5, 'The webhook or delivery does not exist.'),
  'webhook.url.invalid': kind(400, 2, 'The URL of the webhook is not allowed.'),
  'webhook.inactive': kind(409, 6, 'The webhook is switched off.'),

  'message.delivery.not_allowed': kind(400, 2, 'This signee cannot be contacted by this channel.'),
  'message.channel.none': kind(400, 2, 'The service does not send this kind of message.'),
  'message.phone.missing': kind(400, 2, 'The text message has no phone number.'),
  'message.email.missing': kind(400, 2, 'The mail has no e-mail address.'),
  'message.not_found': kind(404, 5, 'The message does not exist.'),
  'message.state.refused': kind(409, 6, 'The message cannot be sent again.'),
  'compliance.person.ambiguous': kind(
    400,
    2,
    'Several persons have this e-mail, phone number or name.',
  ),
  'compliance.not_found': kind(404, 5, 'No record exists for this person or business.'),
  'compliance.pep.absent': kind(409, 6, 'The person was not found to be politically exposed.'),
  'screening.date.invalid': kind(
    400,
    2,
    'The date of birth is not a calendar date, nor YYYY-MM or YYYY where these are accepted.',
  ),
  'screening.flow.invalid': kind(400, 2, 'The flow key does not allow screening.'),
  'screening.list.invalid': kind(400, 2, 'The file is not a list in this format.'),
  'screening.list.shrunken': kind(
    409,
    6,
    'The list is much smaller, older or has different persons; the previous version stays.',
  ),
  'screening.list.not_found': kind(404, 5, 'The company has no list with this name.'),
  'screening.not_found': kind(404, 5, 'The company has no screening with this ID.'),
  'screening.customer.not_found': kind(404, 5, 'The company has no customer with this number.'),
  'screening.source.required': kind(503, 10, 'The list has no source in screening.sources.'),
  'screening.list.required': kind(503, 10, 'Production screens against imported lists only.'),
  'screening.quota.exceeded': kind(
    429,
    9,
    'The company has reached its number of screenings for this minute.',
  ),

  'mail.refused': kind(502, 8, 'The mail server rejected the mail.'),
  'mail.failed': kind(502, 8, 'The mail could not be delivered to the mail server.'),
  'mail.unavailable': kind(
    502,
    8,
    'The mail server cannot be reached or accepts no mail. Mails are queued.',
  ),
  'mail.configuration': kind(502, 10, 'The mail settings are invalid. Mails are queued.'),
  'sms.refused': kind(502, 8, 'The SMS gateway rejected the text message.'),
  'sms.failed': kind(502, 8, 'The text message could not be delivered to the gateway.'),
  'sms.unavailable': kind(502, 8, 'The SMS gateway cannot be reached. Text messages are queued.'),
  'sms.configuration': kind(502, 10, 'The SMS settings are invalid. Text messages are queued.'),

  'activity.export.invalid': kind(400, 7, 'The file is not an activity log export.'),
  'activity.evidence.invalid': kind(400, 7, 'The file is not an evidence record.'),
  'activity.evidence.foreign': kind(400, 2, 'The evidence record belongs to a different company.'),
  'activity.root.late': kind(500, 9, 'A day of the log was time-stamped too late.'),
  'activity.chain.broken': kind(
    500,
    7,
    'The log of a process was changed or belongs to a different process.',
  ),

  'service.busy': kind(503, 6, 'Too many documents are queued. Retry shortly.'),
  'service.timeout': kind(503, 6, 'Processing the document took too long and was stopped.'),
  'service.process.lost': kind(500, 1, 'Worker processes of the service keep exiting.'),

  'store.busy': kind(503, 6, 'The database is busy.'),
  'store.full': kind(507, 1, 'The disk is full; nothing was changed.'),
  'store.readonly': kind(503, 10, 'The database or the data directory is read-only.'),
  'store.corrupt': kind(500, 1, 'The database is damaged.'),
  'store.unavailable': kind(503, 8, 'The database cannot be reached or opened.'),
  'store.replaced': kind(503, 10, 'The database was moved or replaced while it was open.'),
  'store.driver.missing': kind(
    503,
    10,
    'The SQLite driver is not installed or does not run on this platform.',
  ),
  'store.network': kind(500, 10, 'The database would be on a network file system.'),
  'store.schema.newer': kind(500, 10, 'The database was created by a newer version.'),
  'store.mismatch': kind(
    503,
    10,
    'The database and the content directory belong to different stores.',
  ),
  'store.collect.refused': kind(409, 6, 'The collection would remove too many documents.'),
  'blob.missing': kind(503, 1, 'A stored document is missing; it may be on another host.'),
  'blob.corrupt': kind(500, 1, 'A stored document has changed.'),
  'contents.unshared': kind(
    503,
    10,
    'The hosts of this database do not share the content directory.',
  ),
  'trust.mismatch': kind(
    503,
    10,
    'The hosts of this database use different seal keys or trust anchors.',
  ),
  'vault.key.missing': kind(503, 10, 'The file with the key of the database is missing.'),
  'vault.key.mismatch': kind(503, 10, 'The key file belongs to a different database.'),
  'vault.invalid': kind(500, 10, 'A stored secret cannot be decrypted with this key.'),
  'clock.back': kind(500, 1, 'The clock is behind the newest entry of the log.'),
  'clock.untrusted': kind(
    500,
    1,
    'The clock differs too much from the time of the time-stamp authority.',
  ),
} as const satisfies Record<string, ErrorKind>;

/** A code of the registry. */
export type ErrorCode = keyof typeof errorKinds;
