import { maxRetentionDays, noticeSentence, noticeSubjects, statementSections } from '@integrity/protocol'
import { heldBy, promised } from './statement.held.model.ts'
import { policySentences } from './statement.policies.model.ts'
import { type StatementWords, say } from './statement.say.model.ts'
import type { Configuration, Sentence } from './statement.types.ts'

const organisation = ({ notice }: Configuration): Sentence[] =>
  noticeSubjects.map((subject) =>
    say({
      section: 'organisation',
      key: `notice ${subject}`,
      facts: noticeSentence(notice, subject) ?? [notice.org],
      heldBy: heldBy.notice,
      text: (t, locale) => noticeSentence(notice, subject, locale) ?? t(`${subject}Missing`, { org: notice.org }),
    }),
  )

/** Of all permissions those that show something of candidates. */
const rights = [
  ...(['session.view', 'evidence.list', 'evidence.view', 'evidence.export', 'composition.view'] as const),
  ...(['report.view', 'report.export', 'report.sign_off', 'access_log.view', 'audit.view'] as const),
  'candidate_request.manage',
] as const

const roleSentences = ({ roles }: Configuration): Sentence[] =>
  roles.map(({ id, name, builtIn, permissions }) => {
    const held = rights.filter((right) => permissions.includes(right))
    const called = (t: StatementWords) => (builtIn === null ? name : t(`roleName.${builtIn}`))
    return say({
      section: 'readers',
      key: `role ${id}`,
      facts: [name, held],
      heldBy: heldBy.roles,
      text: (t) =>
        held.length === 0
          ? t('roleNothing', { role: called(t) })
          : t('role', { role: called(t), rights: held.map((right) => t(`right.${right}`)).join(', ') }),
    })
  })

const readers = (configuration: Configuration): Sentence[] => {
  const { apiKeys, ownRecipients } = configuration.processing
  return [
    ...roleSentences(configuration),
    say({
      section: 'readers',
      key: 'keys',
      facts: [apiKeys],
      heldBy: heldBy.keys,
      text: (t) => t('keys', { count: apiKeys }),
    }),
    ...ownRecipients.map(({ id, label }) =>
      say({
        section: 'readers',
        key: `recipient ${id}`,
        facts: [label],
        heldBy: heldBy.recipients,
        text: (t) => t('recipient', { label }),
      }),
    ),
  ]
}

const destinations = ({ processing }: Configuration): Sentence[] =>
  processing.destinations.map(({ kind, name, region, host }) => {
    const where = [...new Set([name, region, host])].filter(Boolean).join(', ')
    return say({
      section: 'destinations',
      key: `destination ${kind} ${where}`,
      facts: [where],
      heldBy: kind === 'storage' ? heldBy.storage : heldBy.destinations,
      text: (t) => t(`destination.${kind}`, { where }),
    })
  })

const kept = ({ processing: { rules, longestDays } }: Configuration): Sentence[] => {
  const values = { days: rules.inForceDays, longest: Math.min(longestDays, maxRetentionDays) }
  const section = 'kept'
  const held = {
    section,
    key: 'hold',
    facts: [],
    heldBy: heldBy.retention,
    text: (t) => t('hold'),
  } as const satisfies Parameters<typeof say>[0]
  return [
    say({ section, key: 'kept', facts: values, heldBy: heldBy.retention, text: (t) => t('kept', values) }),
    ...(rules.held === 1 ? [say(held)] : []),
    say({ section, key: 'erased', heldBy: heldBy.erasure, text: (t) => t('erased') }),
  ]
}

/** What no configuration changes. */
const always = (): Sentence[] => [
  say({ section: 'aids', key: 'aidsAsked', heldBy: heldBy.aidsAnswered, text: (t) => t('aidsAsked') }),
  say({ section: 'candidates', key: 'consentFirst', heldBy: heldBy.consent, text: (t) => t('consentFirst') }),
  say({ section: 'candidates', key: 'ownData', heldBy: heldBy.ownData, text: (t) => t('ownData') }),
  say({ section: 'candidates', key: 'ownMoments', heldBy: heldBy.unread, text: (t) => t('ownMoments') }),
  say({ section: 'interviewers', key: 'voices', heldBy: heldBy.voices, text: (t) => t('voices') }),
  say({ section: 'interviewers', key: 'voicesSaid', heldBy: heldBy.voices, text: (t) => t('voicesSaid') }),
  say({ section: 'interviewers', key: 'voicesTold', heldBy: heldBy.voicesTold, text: (t) => t('voicesTold') }),
  say({ section: 'decisions', key: 'peopleDecide', heldBy: heldBy.peopleDecide, text: (t) => t('peopleDecide') }),
  say({ section: 'decisions', key: 'aPerson', heldBy: heldBy.aPerson, text: (t) => t('aPerson') }),
  ...(Object.keys(promised) as (keyof typeof promised)[]).map((name) =>
    say({ section: 'promises', key: `promise ${name}`, heldBy: promised[name], text: (t) => t(`promise.${name}`) }),
  ),
]

/** Every sentence of an organisation's statement, in the order of its sections. */
export const sentencesOf = (configuration: Configuration): Sentence[] => {
  const all = [organisation, readers, destinations, kept, policySentences, always].flatMap((part) =>
    part(configuration),
  )
  return statementSections.flatMap((section) => all.filter((one) => one.section === section))
}
