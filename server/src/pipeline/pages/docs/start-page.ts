import { html } from '../html.ts'

const card = (href: string, title: string, text: string) =>
  html`<li><a href="${href}"><b>${title}</b><span>${text}</span></a></li>`

/** The service's own address: what is running here, and where whoever came wants to go. */
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
<h2>You integrate it</h2>
<ul class="cards">
${card('docs/guide/first-call', 'Make a first call', 'A key, an address, and an interview is planned.')}
${card('docs/console', 'Play an interview', 'In seconds, with a sandbox key, and watch its events.')}
${card('docs', 'Guide and reference', 'Every call, event and error code, with programs to copy.')}
</ul>
<p class="facts">A first start in a terminal prints a sandbox key. Another organisation: <code>npm run admin -- bootstrap --org NAME --email E</code></p>
<h2>You take part in an interview</h2>
<ul class="cards">
${card('invitation/', 'You were invited', 'Open the link in your invitation; it leads here.')}
${card('companion/', 'Your phone stands beside you', 'Enter the code that your computer shows.')}
${card('account/', 'You are a member', 'Sign in, and see to your password and second step.')}
</ul>
</main>
</body>
</html>
`.markup
