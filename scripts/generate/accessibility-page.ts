import { criteria } from '../accessibility/criteria.ts'
import type { Criterion, Result } from '../accessibility/criterion.ts'
import { evidence } from '../accessibility/evidence.ts'

const words: Readonly<Record<Result, string>> = {
  supported: 'supported',
  partly: 'partly supported',
  by_design: 'supported by design, not tested',
  not_applicable: 'not applicable',
  not_evaluated: 'not evaluated',
}

const clauseOf = ({ number, isNew }: Criterion): string => (isNew ? 'none yet' : `9.${number}`)

const testsOf = ({ tests = [] }: Criterion): string =>
  [...new Set(tests.map((name) => evidence[name].file))].map((file) => `\`${file}\``).join(', ')

const row = (criterion: Criterion): string => {
  const { number, level, name, result, remark } = criterion
  return `| ${number} ${name} | ${level} | ${clauseOf(criterion)} | ${words[result]} | ${remark} | ${testsOf(criterion)} |`
}

const countOf = (result: Result): string =>
  `${criteria.filter((criterion) => criterion.result === result).length} ${words[result]}`

/** `docs/accessibility.md`: the statement by clause, from what the tests look at. */
export const accessibilityPage = (): string => `# Accessibility statement

What this product's clients (the application's window, the room, the phone's page, the pages behind links, the desk) do about WCAG 2.2, levels
A and AA, and clause 9 of EN 301 549 V3.2.1. Generated from \`scripts/accessibility\` by \`npm run generate\`; a test looks whether each test
that is named exists. The tests run in Chromium on Linux, with axe-core, in English and Hindi. **Nobody has yet tried the clients with a
screen reader, with a magnifier or by voice, nor on macOS, Windows, iOS and Android.**

Of ${criteria.length} criteria: ${(Object.keys(words) as Result[]).map(countOf).join(', ')}.

| criterion of WCAG 2.2 | level | EN 301 549 | result | remark | tests |
|---|---|---|---|---|---|
${criteria.map(row).join('\n')}

## Other clauses of EN 301 549

| clause | result | remark |
|---|---|---|
| 5 Generic requirements | not evaluated | No part of the product is closed functionality; the fingerprint is never the only way to sign in. |
| 6 Two-way voice communication | not applicable | The meeting is held with another program. |
| 7 Video capabilities | partly supported | Films carry subtitles where there is a transcript; the player keeps them in time. |
| 8 Hardware | not applicable | |
| 10 Non-web documents | not evaluated | Reports as PDF have a title, a language and text that can be read out; they are not tagged. |
| 11 Software | partly supported | The application's window is a web page and is tested as one; clauses about assistive technologies of the platform are not evaluated. |
| 12 Documentation and support | partly supported | This documentation is plain text and HTML. |
| 13 Relay and emergency services | not applicable | |

## Something does not work for you?

Write to the contact of the organisation that invited you, which stands at the end of each page; who runs the service finds the contact of
its makers in \`SECURITY.md\`. A candidate who needs another way to take part can say so on the page behind the invitation, before anything is
recorded.
`
