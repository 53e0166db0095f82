// The first file of a thread of `innsigli serve`: documents, or jobs.
require('./load-bundle.cjs').loadBundle('serve.cjs').exports.serveThread();
