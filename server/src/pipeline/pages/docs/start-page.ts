import { adminName } from '../../../kernel/admin-name.ts'
import { html } from '../html.ts'
import { codeBlock } from './markdown.ts'

const card = (href: string, title: string, text: string) =>
  html`<li><a href="${href}"><b>${title}</b><span>${text}</span></a></li>`

/** The service's own address: what runs here, and links for developers, candidates and members. */
export const startPage = (assets: { readonly style: string; readonly start: string }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Interview Integrity</title>
<meta name="description" content="Evidence for remote interviews that a candidate has agreed to.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.start}"></script>
</head>
<body class="start">
<main>
<h1>Interview Integrity</h1>
<p class="lead">Evidence for remote interviews that a candidate has agreed to. The service observes; a person decides.</p>
<p id="state" class="state" role="status">The service runs here.</p>
<h2>For developers</h2>
<p>You need a sandbox key. A member of your organisation who may manage keys makes one; the service's first start in a terminal prints one. On its machine, this opens an organisation with two keys:</p>
${codeBlock(`${adminName} bootstrap --org NAME --email E`, 'sh')}
<ul class="cards">
${card('docs/guide/first-call', '1. First call', 'Schedule your first interview.')}
${card('docs/console', '2. Play an interview', 'Play a whole interview in seconds and watch its events.')}
${card('docs', '3. Build yours', 'Every call, event and error code, with sample programs.')}
</ul>
<h2>For candidates</h2>
<ul class="cards">
${card('invitation/', 'You were invited', 'Open the link in your invitation; it leads here.')}
${card('companion/', 'Connect your phone', 'Enter the code that your computer shows.')}
${card('requests/', 'Your interview is over', 'See your interview data, ask for a copy or for its deletion.')}
</ul>
<p class="facts">A member of an organisation? <a href="account/">Sign in</a>, and manage your password and two-step sign-in.</p>
</main>
</body>
</html>
`.markup
