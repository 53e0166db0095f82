#!/usr/bin/env node
require('./load-bundle.cjs').loadBundle('main.cjs').exports.main();
