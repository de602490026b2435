import { consentLocales, consentTexts } from './consent-texts.ts'
import { neededWords } from './core/auth.ts'
import { type EndpointSpec, impliedErrors } from './core/endpoint.ts'
import { errorCodes } from './core/errors.ts'
import { type GrantKind, grantKinds } from './core/grants.ts'
import { permissions } from './core/permissions.ts'
import { eventCatalog } from './domains/integrations/events/events.catalog.ts'
import { integrityEventKinds, type KindFacts } from './domains/interviews/integrity-events/integrity-events.kinds.ts'
import { evidenceTypes } from './domains/interviews/lanes/lanes.evidence.ts'
import { gapReasons, laneNames, lanes } from './domains/interviews/lanes/lanes.registry.ts'
import { type MomentRule, momentChoiceText, momentRules } from './domains/review/reports/moments.rules.ts'
import { policyWords } from './policy-words.ts'
import { endpoints } from './registry.ts'

/** One row for each endpoint, for lists and checks. */
export const endpointRows = () =>
  (endpoints as readonly EndpointSpec[]).map((endpoint) => {
    const scope = endpoint.auth.flatMap((rule) => (rule.kind === 'api_key' ? [rule.scope] : []))[0]
    return {
      id: endpoint.id,
      method: endpoint.method,
      path: endpoint.path,
      ...(scope ? { scope } : {}),
      auth: endpoint.auth.map((rule) =>
        rule.kind === 'user' && rule.permission ? `user:${neededWords(rule)}` : rule.kind,
      ),
      success: endpoint.success,
      errors: impliedErrors(endpoint),
      effect: endpoint.effect,
      ...(endpoint.emits ? { emits: endpoint.emits } : {}),
      ...(endpoint.grants ? { grants: endpoint.grants } : {}),
      summary: endpoint.summary,
    }
  })

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** What is collected, lane by lane, and why there may be nothing. */
const collectedPage = (): string =>
  `# What is collected\n\n## Lanes\n\n${table(
    ['lane', 'switch', ...consentLocales.map((locale) => `what the candidate reads (${locale})`)],
    laneNames.map((name) => [
      `\`${name}\``,
      `\`${lanes[name].config}\``,
      ...consentLocales.map((locale) => {
        const { title, text } = consentTexts[locale].lanes[name]
        return `**${title}** ${text}`
      }),
    ]),
  )}\n\n## What follows where the policy asks for it\n\n${table(
    ['lane', 'where', ...consentLocales],
    policyWords.map(({ lane, where, word }) => [
      `\`${lane}\``,
      where,
      ...consentLocales.map((locale) => consentTexts[locale][word]),
    ]),
  )}\n\n## Evidence types\n\n${table(
    ['type', 'lane', 'at most', 'content types'],
    Object.entries(evidenceTypes).map(([name, type]) => [
      `\`${name}\``,
      type.lane,
      `${type.maxBytes / 1024 / 1024} MiB`,
      type.contentTypes.join(', '),
    ]),
  )}\n\n## Integrity events\n\n${table(
    ['kind', 'what happened', 'needs consent to'],
    Object.entries<KindFacts>(integrityEventKinds).map(([kind, { sentence, lane }]) => [
      `\`${kind}\``,
      sentence,
      lane === null ? 'nothing: about the recording itself' : `\`${lane}\``,
    ]),
  )}\n\n## Why a lane can have a gap\n\n${table(
    ['reason', 'meaning'],
    Object.entries(gapReasons).map(([reason, text]) => [`\`${reason}\``, text]),
  )}\n`

/** What makes an instant a moment worth opening. */
const momentsPage = (): string =>
  `# Moments worth opening\n\nRules over facts alone: the same facts give the same moments, whoever asks. None says anything about a person.\n\n${table(
    ['rule', 'version', 'what it finds', 'common reasons', 'reads'],
    Object.entries<MomentRule>(momentRules).map(([name, { version, text, commonReasons, kinds }]) => [
      `\`${name}\``,
      String(version),
      text,
      commonReasons.join(' '),
      kinds.length === 0 ? 'coverage, or what the phone says' : kinds.map((kind) => `\`${kind}\``).join(', '),
    ]),
  )}\n\n## With a budget of minutes\n\n${momentChoiceText}\n`

const asked = {
  nothing_more: 'nothing more',
  what_it_gives: 'every permission that is handed on',
  everything: 'every permission',
  owner: 'to be an owner',
} as const

/** Every way to a secret or to what somebody may do. */
const grantsPage = (rows: ReturnType<typeof endpointRows>): string => {
  const ways = (kind: string) => rows.filter(({ grants }) => grants === kind)
  return `# What requests hand on\n\nWho takes one of these must hold what is in the third column, beside the permission or scope of the endpoint: there is no way around it by another endpoint of the same row.\n\n${table(
    ['grant', 'what it is', 'asks for', 'endpoints'],
    (Object.keys(grantKinds) as GrantKind[]).map((kind) => [
      `\`${kind}\``,
      grantKinds[kind].summary,
      asked[grantKinds[kind].asks],
      ways(kind)
        .map(({ method, path }) => `\`${method} ${path}\``)
        .join(', '),
    ]),
  )}\n`
}

/** The reference pages in Markdown, by file name. */
export const referencePages = (): Record<string, string> => {
  const rows = endpointRows()
  return {
    'endpoints.md': `# Endpoints\n\n${table(
      ['endpoint', 'credential', 'what it does'],
      rows.map((row) => [
        `\`${row.method} ${row.path}\``,
        row.scope ? `API key, \`${row.scope}\`` : row.auth.join(', '),
        row.summary,
      ]),
    )}\n`,
    'errors.md': `# Error codes\n\n${table(
      ['code', 'status', 'when'],
      Object.entries(errorCodes).map(([code, e]) => [`\`${code}\``, String(e.status), e.summary]),
    )}\n`,
    'events.md': `# Published events\n\n${table(
      ['type', 'when', 'data'],
      eventCatalog.map((event) => [`\`${event.type}\``, event.summary, Object.keys(event.data.shape).join(', ')]),
    )}\n`,
    'collected.md': collectedPage(),
    'grants.md': grantsPage(rows),
    'moments.md': momentsPage(),
    'permissions.md': `# Permissions\n\n${table(
      ['permission', 'allows', 'built-in roles'],
      Object.entries(permissions).map(([name, p]) => [`\`${name}\``, p.summary, p.roles.join(', ')]),
    )}\n`,
  }
}
