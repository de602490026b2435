import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * Nothing from anywhere else, no inline script, nobody may frame it. Scalar writes its style sheet into the page from
 * its script and cannot give it a nonce, so inline styles must be allowed; they can neither run nor load anything here.
 */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const referenceHeaders = {
  'Content-Security-Policy': referencePolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=()',
}

/** The viewer as one script, out of the package. */
export const scalarScript = (): Buffer => {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference')
  return readFileSync(path.join(path.dirname(entry), 'browser', 'standalone.js'))
}

/**
 * Starts the viewer. Addresses are relative to the page, so that it works behind a proxy with a path prefix, and
 * requests that are tried out go to the server that the page came from.
 */
export const startScript = `'use strict'
const base = new URL('.', document.baseURI).href.replace(/\\/$/, '')
Scalar.createApiReference('#reference', {
  url: base + '/openapi.json',
  servers: [{ url: base, description: 'this server' }],
  layout: 'modern',
  theme: 'none',
  operationTitleSource: 'path',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideClientButton: true,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  telemetry: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  // The guide's chapters lie in the first group, which is closed at first and has no setting.
  onLoaded: () => {
    const closed = [...document.querySelectorAll('button')].find((button) => /Open Introduction/.test(button.textContent))
    if (closed) closed.click()
  },
})
`

/** The page itself; the links inside stay for those who have no script. */
export const referenceHtml = (address: { readonly scalar: string; readonly start: string; readonly style: string }) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Interview Integrity Service: guide and reference</title>
<meta name="description" content="The integrator's guide and every endpoint of the Interview Integrity Service.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address.style}">
</head>
<body>
<div id="reference">
<main class="plain">
<h1>Interview Integrity Service</h1>
<p>The guide and the reference appear here in a moment. The same without a script:</p>
<ul>
<li><a href="docs/guide.md">The guide, as text</a></li>
<li><a href="openapi.json">The OpenAPI document</a></li>
</ul>
<noscript><p>This browser runs no script, so please follow these links.</p></noscript>
</main>
</div>
<script src="${address.scalar}"></script>
<script src="${address.start}"></script>
</body>
</html>
`
