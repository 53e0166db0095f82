// The first file of a thread of `innsigli serve`: documents, or jobs.
require('./innsigli.cjs').loadBundle('serve.cjs').exports.serveThread();
